import { act, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Link, Route } from 'wouter';
import { makeCity, makePageData } from '@/testing/fixtures';
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

it('moves the focus to the menu of the nearest city, with its name, once it is found', async () => {
  const getCurrentPosition = (onFound: PositionCallback) =>
    onFound({ coords: { latitude: 52.5, longitude: 13.4 } } as GeolocationPosition);
  vi.stubGlobal('navigator', { ...navigator, geolocation: { getCurrentPosition } });
  const berlin = { ...makeCity(), coordinates: { latitude: 52.5, longitude: 13.4 } };
  const kazan = { ...makeCity({ id: 2 }), coordinates: { latitude: 55.8, longitude: 49.1 } };
  const { user } = renderInCity(<CitySuggestion cities={[berlin, kazan]} />, {
    data: makePageData({ path: '/', city: undefined }),
  });
  await user.click(await screen.findByRole('button', { name: 'Find the nearest city' }));
  const link = screen.getByRole('link', { name: 'Go to the menu' });
  expect(document.activeElement).toBe(link);
  const description = document.getElementById(link.getAttribute('aria-describedby') ?? '');
  expect(description?.textContent).toBe('The nearest city: Berlin');
});

it('does not ask where the visitor is when there is one city', async () => {
  const berlin = { ...makeCity(), coordinates: { latitude: 52.5, longitude: 13.4 } };
  renderInCity(
    <>
      <p>Choose a city</p>
      <CitySuggestion cities={[berlin]} />
    </>,
    { data: makePageData({ path: '/', city: undefined }) },
  );
  await screen.findByText('Choose a city');
  expect(screen.queryByRole('button', { name: 'Find the nearest city' })).toBeNull();
});
