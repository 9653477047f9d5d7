import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { Schema } from '@/api/types';
import { useCart } from '@/entities/cart/queries';
import { setPlace } from '@/entities/place/place';
import { makeCart, makeLine, makeModifier, makeProduct } from '@/testing/fixtures';
import { makeAddress } from '@/testing/orders';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
import { linesByProduct } from './lines-by-product';
import { ProductControl } from './product-control';

const address = makeAddress();

function Tile({ product }: { product: Schema<'Product'> }) {
  const { lines } = useCart();
  return <ProductControl product={product} lines={linesByProduct(lines).get(product.key)} />;
}

/** Shows the control of a product beside a cart with these lines; returns what the calls of the cart send. */
async function showTile(product: Schema<'Product'>, ...lines: Schema<'CartProduct'>[]) {
  setPlace(1, { orderType: 'delivery', address });
  const cart = makeCart(lines, { delivery_address: address });
  const sent: unknown[] = [];
  const keep = async ({ request }: { request: Request }) => {
    sent.push(await request.json());
    return { cart };
  };
  server.use(
    answer('put', '/cart', () => ({ cart })),
    answer('put', '/cart/add', keep),
    answer('put', '/cart/remove', keep),
  );
  renderInCity(<Tile product={product} />);
  return sent;
}

it('a dish of which nothing is to choose is added with what is always taken', async () => {
  const deposit = makeModifier({ id: 9, name: 'Deposit', min: 1, max: 1, count: 1 });
  const extra = makeModifier({ id: 8, name: 'Lemon', type: 'stop', min: 0, max: 1, count: 0 });
  const cola = makeProduct({
    key: 'cola',
    name: 'Cola',
    modifiers: { available: false, single: [extra, deposit], groups: [] },
  });
  const sent = await showTile(cola);
  await userEvent.click(await screen.findByRole('button', { name: /Cola/ }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({
    product_key: 'cola',
    count: 1,
    modifiers: [{ id: 9, count: 1 }],
  });
});

it('the counter of a dish with several lines changes the one that was added last', async () => {
  const wok = makeProduct({
    key: 'wok',
    name: 'Wok',
    modifiers: { available: true, single: [makeModifier({ id: 3 })], groups: [] },
  });
  const chosen = { id: 3, name: 'Udon', count: 1, price: 0 };
  const lines = [
    makeLine({ key: 'wok', count: 2, added_at: '2026-01-01T12:00:00Z' }),
    makeLine({
      key: 'wok~ab',
      product_key: 'wok',
      modifiers: [chosen],
      added_at: '2026-01-01T12:01:00Z',
    }),
  ];
  const sent = await showTile(wok, ...lines);
  await userEvent.click(await screen.findByRole('button', { name: 'Take one away: Wok' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ product_key: 'wok~ab', count: 1 });
});

it('a dish in the cart keeps its price beside the counter, without that of the other way to order', async () => {
  const soup = makeProduct({
    key: 'soup',
    name: 'Soup',
    price: 12.5,
    order_type_prices: { delivery: 12.5, takeaway: 10 },
  });
  await showTile(soup, makeLine({ key: 'soup', product_key: 'soup', count: 1 }));
  await screen.findByRole('button', { name: 'Add one: Soup' });
  screen.getByText('€12.50');
  expect(screen.queryByText('Takeaway €10')).toBeNull();
});
