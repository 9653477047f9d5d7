import { act, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Link, Route } from 'wouter';
import { makePageData } from '@/testing/fixtures';
import { renderInCity } from '@/testing/render';
import { CitySuggestion } from './city-suggestion';

afterEach(() => vi.unstubAllGlobals());

it('says nothing of a position that was not found once the visitor has chosen a city from the list', async () => {
  let fail = () => {};
  const getCurrentPosition = (_: PositionCallback, onError: () => void) => {
    fail = onError;
  };
  vi.stubGlobal('navigator', { ...navigator, geolocation: { getCurrentPosition } });
  const { user } = renderInCity(
    <>
      <Link href="/berlin">Berlin</Link>
      <Route path="/">
        <CitySuggestion cities={[]} />
      </Route>
    </>,
    { data: makePageData({ path: '/', city: undefined }) },
  );
  await user.click(await screen.findByRole('button', { name: 'Find the nearest city' }));
  await user.click(screen.getByRole('link', { name: 'Berlin' }));
  act(() => fail());
  expect(screen.queryByText(/We could not tell where you are/)).toBeNull();
});
