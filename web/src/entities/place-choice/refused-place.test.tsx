import { useQueryClient } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { useEffect } from 'react';
import { describe, expect, it } from 'vitest';
import type { Schema } from '@/api/types';
import { useCart } from '@/entities/cart/queries';
import { useCity } from '@/entities/city/context';
import { useMenu } from '@/entities/menu/queries';
import { clearPlaces, placeOf, setPlace } from '@/entities/place/place';
import { makeCart, makeCity, makeGroup, makeLine } from '@/testing/fixtures';
import { makeAddress } from '@/testing/orders';
import { makeShop } from '@/testing/places';
import { renderInCity } from '@/testing/render';
import { refuse, server } from '@/testing/server';
import { modals } from '@/ui/modals/modal-store';
import { followRefusedPlaces } from './refused-place';

const goneShop = 'This restaurant does not offer takeaway. Please choose another';
const goneZone = 'Our delivery areas have changed. Please enter your address again';

/** The cart and the menu of the chosen place, as the pages of a city show them. */
function Page({ isFollowed = true }) {
  const client = useQueryClient();
  const city = useCity();
  const { lines, isFailed } = useCart();
  const menu = useMenu();
  useEffect(
    () => (isFollowed ? followRefusedPlaces(client, city) : undefined),
    [client, city, isFollowed],
  );
  if (isFailed || menu.isError) return <p>failed</p>;
  return <p>{lines.map(({ line }) => line?.name).join()}</p>;
}

/** Refuses every call that names a shop or a zone, and answers the others. */
function refusePlaces() {
  const carts: unknown[] = [];
  const answerAt = (shop: unknown, zone: unknown, answer: object) => {
    const reason = (shop && goneShop) || (zone && goneZone);
    if (!reason) return HttpResponse.json(answer);
    const errors = { [shop ? 'shop_id' : 'delivery_address']: [reason] };
    return HttpResponse.json({ message: reason, errors }, { status: 422 });
  };
  server.use(
    http.put('*/api/cart', async ({ request }) => {
      const at = (await request.json()) as Schema<'Place'>;
      carts.push(at);
      const { order_type, shop_id, delivery_zone_id } = at;
      const cart = makeCart([makeLine({ name: 'Philadelphia' })], { order_type });
      return answerAt(shop_id, delivery_zone_id, { cart });
    }),
    http.get('*/api/products', ({ request }) => {
      const { searchParams: at } = new URL(request.url);
      const menu = { product_groups: [makeGroup()], popular_products: [] };
      return answerAt(at.get('shop_id'), at.get('delivery_zone_id'), menu);
    }),
    http.get('*/api/cities/berlin/streets', () => HttpResponse.json({ streets: [] })),
    http.get('*/api/shops', () => HttpResponse.json({ shops: [] })),
    http.get('*/api/user/addresses', () => HttpResponse.json({ delivery_addresses: [] })),
  );
  return carts;
}

describe('a chosen place that the server does not have any more', () => {
  it('is forgotten when it is a shop, the cart is shown, and another one is asked for', async () => {
    setPlace(1, { orderType: 'takeaway', shop: makeShop({ id: 3 }) });
    const carts = refusePlaces();
    renderInCity(<Page />);
    await screen.findByText('Philadelphia');
    expect(modals.get().defaults).toMatchObject([
      { name: 'order-types', params: { message: goneShop } },
    ]);
    expect(carts).toHaveLength(2);
    clearPlaces();
    expect(placeOf(makeCity())).toMatchObject({ orderType: 'takeaway', shop: undefined });
  });

  it('is forgotten when it is the zone of an address', async () => {
    setPlace(1, { orderType: 'delivery', address: makeAddress({ delivery_zone_id: 9 }) });
    refusePlaces();
    renderInCity(<Page />);
    await screen.findByText('Philadelphia');
    expect(modals.get().defaults).toMatchObject([
      { name: 'order-types', params: { message: goneZone } },
    ]);
    expect(placeOf(makeCity())).toMatchObject({ orderType: 'delivery', address: undefined });
  });

  it('is forgotten when the refusal came before the late parts', async () => {
    setPlace(1, { orderType: 'takeaway', shop: makeShop({ id: 3 }) });
    refusePlaces();
    const { client } = renderInCity(<Page isFollowed={false} />);
    await screen.findByText('failed');
    const stop = followRefusedPlaces(client, makeCity());
    await screen.findByText('Philadelphia');
    stop();
  });

  it('stays when the server refuses something else', async () => {
    setPlace(1, { orderType: 'takeaway', shop: makeShop({ id: 3 }) });
    refusePlaces();
    server.use(refuse('put', '/cart', 422, { message: 'No', errors: { interval: ['No'] } }));
    server.use(refuse('get', '/products', 500, { message: 'No' }));
    renderInCity(<Page />);
    await screen.findByText('failed');
    expect(placeOf(makeCity())).toMatchObject({ shopId: 3 });
    expect(modals.get().defaults).toEqual([]);
  });
});
