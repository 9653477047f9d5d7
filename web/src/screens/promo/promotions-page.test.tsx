import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { Schema } from '@/api/types';
import { makeCity, makePageData, makeProduct } from '@/testing/fixtures';
import { renderInCity } from '@/testing/render';
import { closeAllModals, modals } from '@/ui/modals/modal-store';
import { PromotionsPage } from './promotions-page';

const promotion = {
  alias: 'three-rolls',
  name: 'Three rolls',
  description: '<p>For the price of two</p>',
  images: makeProduct().images,
};

/** Renders the page of promotions on desktop or on a phone, by default with a promotion in the URL. */
function openPromotions(
  isWide: boolean,
  path = '/berlin/promotions?alias=three-rolls',
  own: Partial<Schema<'Promotion'>> = {},
) {
  vi.stubGlobal('matchMedia', () => ({
    matches: isWide,
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
  return renderInCity(<PromotionsPage />, {
    data: makePageData({
      city: makeCity({ promotions: [{ ...promotion, ...own }] }),
      path,
    }),
  });
}

afterEach(() => {
  closeAllModals();
  vi.unstubAllGlobals();
});

it('the promotion that the address names opens in a dialog on desktop', async () => {
  openPromotions(true);
  await waitFor(() =>
    expect(modals.get().defaults).toMatchObject([
      { name: 'promo', params: { alias: 'three-rolls' } },
    ]),
  );
});

it('the promotion that the address names is open in place on a phone', () => {
  openPromotions(false);
  expect(screen.getByText('For the price of two')).toBeTruthy();
  screen.getByRole('button', { name: 'Less about: Three rolls' });
  expect(modals.get().defaults).toEqual([]);
});

it('a promotion that is opened stands in the address, also after its dialog has closed', async () => {
  const { user } = openPromotions(true, '/berlin/promotions');
  await user.click(
    screen.getAllByRole('button', { name: 'More about: Three rolls' })[1] as HTMLElement,
  );
  expect(location.search).toBe('?alias=three-rolls');
  closeAllModals();
  expect(location.search).toBe('?alias=three-rolls');
});

it('a promotion that is closed in place leaves the address', async () => {
  const { user } = openPromotions(false, '/berlin/promotions');
  await user.click(
    screen.getAllByRole('button', { name: 'More about: Three rolls' })[0] as HTMLElement,
  );
  expect(location.search).toBe('?alias=three-rolls');
  await user.click(screen.getByRole('button', { name: 'Less about: Three rolls' }));
  expect(location.search).toBe('');
});

it.each([
  { device: 'phone', isWide: false },
  { device: 'desktop', isWide: true },
])('a promotion of a dish opens the dish on a $device', async ({ isWide }) => {
  const { user } = openPromotions(isWide, '/berlin/promotions', { product_key: '1-7' });
  await user.click(screen.getByRole('button', { name: 'Order: Three rolls' }));
  expect(modals.get().defaults).toMatchObject([{ name: 'product', params: { productKey: '1-7' } }]);
});

it('a promotion of a group leads to it in the menu, one of nothing has no button', () => {
  const { unmount } = openPromotions(false, '/berlin/promotions', { group: 'rolls' });
  const link = screen.getByRole('link', { name: 'Go to the menu: Three rolls' });
  expect(link.getAttribute('href')).toBe('/berlin?group=rolls');
  unmount();
  openPromotions(false, '/berlin/promotions');
  expect(screen.queryByRole('link', { name: /Go to the menu/ })).toBeNull();
  expect(screen.queryByRole('button', { name: /^Order/ })).toBeNull();
});
