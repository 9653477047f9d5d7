import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { makePageData } from '@/testing/fixtures';
import { makeShop } from '@/testing/places';
import { renderInCity } from '@/testing/render';
import { ShopsPage } from './shops-page';

vi.mock('@/ui/map/map-view', () => ({ MapView: () => null }));

it('names each shop one level below the heading of the page', async () => {
  const data = makePageData({ shops: [makeShop({ name: 'Mitte' })] });
  renderInCity(<ShopsPage />, { data });
  expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy();
  expect(await screen.findByRole('heading', { level: 2, name: 'Mitte' })).toBeTruthy();
});
