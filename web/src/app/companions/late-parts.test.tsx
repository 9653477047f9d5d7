import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Schema } from '@/api/types';
import { writePendingOrder } from '@/screens/checkout/send-order';
import { makePageData } from '@/testing/fixtures';
import { renderInCity } from '@/testing/render';
import LateParts from './late-parts';

const order: Schema<'OrderCreate'> = {
  city_id: 1,
  order_type: 'delivery',
  order_cache_key: 'lost',
  username: 'Anna',
  payment_type: 'cash',
  cart: { prices: { total: 25 } },
};

const open = (path: string) =>
  renderInCity(
    <>
      <p>The page</p>
      <LateParts inCity />
    </>,
    { data: makePageData({ path }) },
  );

afterEach(() => sessionStorage.clear());

it.each(['/berlin', '/berlin/profile'])(
  'an order of this tab whose outcome is unknown opens the checkout, which finds it out, from %s',
  async (path) => {
    writePendingOrder(1, order);
    const { places } = open(path);
    await waitFor(() => expect(places).toEqual([path, '/berlin/cart?step=2']));
  },
);

it.each([
  ['the order is of another city', 2, '/berlin'],
  ['the checkout is open', 1, '/berlin/cart'],
  ['an order is open', 1, '/berlin/order/12345678/tracking'],
])('the page stays when %s', async (_, cityId, path) => {
  writePendingOrder(cityId, order);
  const { places } = open(path);
  await screen.findByText('The page');
  expect(places).toEqual([path]);
});
