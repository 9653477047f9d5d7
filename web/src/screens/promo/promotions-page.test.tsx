import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
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

/** Opens the page of a promotion on a screen that is wide or not. */
function open(isWide: boolean) {
  vi.stubGlobal('matchMedia', () => ({
    matches: isWide,
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
  return renderInCity(<PromotionsPage />, {
    data: makePageData({
      city: makeCity({ promotions: [promotion] }),
      path: '/berlin/promotions?alias=three-rolls',
    }),
  });
}

afterEach(() => {
  closeAllModals();
  vi.unstubAllGlobals();
});

it('the promotion that the address names opens in a dialog on desktop', async () => {
  open(true);
  await waitFor(() =>
    expect(modals.get().defaults).toMatchObject([
      { name: 'promo', params: { alias: 'three-rolls' } },
    ]),
  );
});

it('the promotion that the address names is open in place on a phone', () => {
  open(false);
  expect(screen.getByText('For the price of two')).toBeTruthy();
  screen.getByRole('button', { name: 'Less about: Three rolls' });
  expect(modals.get().defaults).toEqual([]);
});
