import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Link, Route } from 'wouter';
import { clearPlaces, placeOf, setPlace } from '@/entities/place/place';
import { makeCart, makeCity, makePageData } from '@/testing/fixtures';
import { makeShop } from '@/testing/places';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
import type { MapViewProps } from '@/ui/map/map-things';
import { DeliveryPage } from './delivery-page';
import { ShopsPage } from './shops-page';

afterEach(() => {
  clearPlaces();
  localStorage.clear();
});

// The map draws by measuring the page, which a test has none of; here it only names its markers.
vi.mock('@/ui/map/map-view', () => ({
  MapView: ({ label, markers = [] }: MapViewProps) => (
    <ul aria-label={label}>
      {markers.map(({ id, name }) => (
        <li key={id}>{name}</li>
      ))}
    </ul>
  ),
}));

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

it('does not lead to the menu from where the visitor has gone when the answer comes late', async () => {
  const shop = makeShop({ id: 3, name: 'Mitte' });
  const allowed: (() => void)[] = [];
  server.use(
    answer('put', '/cart', () => ({ cart: makeCart() })),
    answer('post', '/shops/set', async () => {
      await new Promise<void>((resolve) => allowed.push(resolve));
      return {
        shop,
        cart: makeCart([], { order_type: 'takeaway', shop }),
        product_groups: [],
        popular_products: [],
      };
    }),
  );
  const { user, places } = renderInCity(
    <>
      <Link href="/berlin/bonus">Bonus</Link>
      <Route path="/berlin/shops">
        <ShopsPage />
      </Route>
    </>,
    { data: makePageData({ path: '/berlin/shops', shops: [shop] }) },
  );
  await user.click(await screen.findByRole('button', { name: 'Choose: Mitte' }));
  await waitFor(() => expect(allowed).toHaveLength(1));
  await user.click(screen.getByRole('link', { name: 'Bonus' }));
  allowed[0]?.();
  await waitFor(() => expect(placeOf(makeCity()).shopId).toBe(3));
  expect(places?.at(-1)).toBe('/berlin/bonus');
});

describe('a shop that only delivers', () => {
  const shop = makeShop({ id: 3, name: 'Mitte' });
  const kitchen = makeShop({
    id: 4,
    name: 'Kitchen',
    order_types: { delivery: true, takeaway: false },
  });
  const namesOn = (map: HTMLElement) =>
    within(map)
      .getAllByRole('listitem')
      .map((marker) => marker.textContent);

  it('is not offered for takeaway on the list, in its search or on the map', async () => {
    const data = makePageData({ shops: [shop, kitchen] });
    const { user } = renderInCity(<ShopsPage />, { data });
    await screen.findByRole('button', { name: 'Choose: Mitte' });
    expect(screen.queryByText('Kitchen')).toBeNull();
    await user.type(screen.getByRole('searchbox'), 'Kitchen');
    await screen.findByText(/No shop matches/);
    await user.click(screen.getByText('Map'));
    expect(namesOn(await screen.findByRole('list', { name: 'Map of shops' }))).toEqual(['Mitte']);
  });

  it('is shown on the map of delivery', async () => {
    renderInCity(<DeliveryPage />, { data: makePageData({ shops: [shop, kitchen] }) });
    const map = await screen.findByRole('list', { name: 'Map of delivery zones' });
    expect(namesOn(map)).toEqual(['Mitte', 'Kitchen']);
  });
});
