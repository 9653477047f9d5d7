import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { clearPlaces, setPlace } from '@/entities/place/place';
import { makeCart, makePageData } from '@/testing/fixtures';
import { makeShop } from '@/testing/places';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
import { ShopsPage } from './shops-page';

afterEach(() => {
  clearPlaces();
  localStorage.clear();
});

vi.mock('@/ui/map/map-view', () => ({ MapView: () => null }));

it('names each shop one level below the heading of the page', async () => {
  const data = makePageData({ shops: [makeShop({ name: 'Mitte' })] });
  renderInCity(<ShopsPage />, { data });
  expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy();
  expect(await screen.findByRole('heading', { level: 2, name: 'Mitte' })).toBeTruthy();
});

it('shows which shop is chosen', async () => {
  const shop = makeShop({ id: 3, name: 'Mitte' });
  server.use(
    answer('put', '/cart', () => ({ cart: makeCart([], { order_type: 'takeaway', shop }) })),
  );
  setPlace(1, { orderType: 'takeaway', shop });
  renderInCity(<ShopsPage />, { data: makePageData({ shops: [shop] }) });
  await screen.findByRole('button', { name: 'Chosen: Mitte', pressed: true });
});

it('shows that a shop is being chosen until the server has answered', async () => {
  const shop = makeShop({ id: 3, name: 'Mitte' });
  let allow = () => {};
  const allowed = new Promise<void>((resolve) => {
    allow = resolve;
  });
  server.use(
    answer('put', '/cart', () => ({ cart: makeCart() })),
    answer('post', '/shops/set', async () => {
      await allowed;
      return {
        shop,
        cart: makeCart([], { order_type: 'takeaway', shop }),
        product_groups: [],
        popular_products: [],
      };
    }),
  );
  const { user } = renderInCity(<ShopsPage />, { data: makePageData({ shops: [shop] }) });
  const button = await screen.findByRole('button', { name: 'Choose: Mitte', pressed: false });
  await user.click(button);
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('true'));
  allow();
  await waitFor(() => expect(button.getAttribute('aria-busy')).not.toBe('true'));
});
