import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { Schema } from '@/api/types';
import { cartKey } from '@/features/cart/queries';
import { forgetPlaces, setPlace } from '@/features/city/place';
import {
  makeCart,
  makeCity,
  makeGroup,
  makeLine,
  makePageData,
  makeProduct,
} from '@/testing/fixtures';
import { makeFoundAddress } from '@/testing/places';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
import { modals, openModal } from '@/ui/modals/modal-store';

const modifier = (id: number, name: string, own: Partial<Schema<'Modifier'>> = {}) => ({
  id,
  name,
  price: 1.5,
  min: 0,
  max: 1,
  count: 0,
  type: 'default' as const,
  sort: id,
  allergens: [],
  ...own,
});

const sauces = {
  id: 9,
  name: 'Sauce',
  min: 1,
  max: 1,
  free: 0,
  modifiers: {
    1: modifier(1, 'Soy'),
    2: modifier(2, 'Spicy'),
    3: modifier(3, 'Unagi', { type: 'stop' }),
  },
};
const wok = makeProduct({
  key: '1-1',
  alias: 'wok',
  name: 'Wok',
  price: 10,
  modifiers: { available: true, single: [modifier(4, 'Sesame', { max: 3 })], groups: [sauces] },
});

const address = makeFoundAddress();
const delivered = { delivery_address: address };

beforeEach(() => {
  forgetPlaces();
  setPlace(1, { orderType: 'delivery', address });
});

async function openDish(
  product: Schema<'Product'>,
  { cart = makeCart([], delivered), city = makeCity() } = {},
) {
  const menu = { product_groups: [makeGroup({ products: [product] })], popular_products: [] };
  server.use(
    answer('put', '/cart', () => ({ cart })),
    answer('get', '/products', () => menu),
  );
  const result = renderInCity(null, { data: makePageData({ menu, city }) });
  openModal('product', { productKey: product.alias ?? product.key });
  await screen.findByRole('dialog', { name: product.name });
  return result;
}

const addButton = () => screen.getByRole('button', { name: /^Add\b.*€/ });

it('opens by alias and says what has to be chosen before it can be added', async () => {
  const { user } = await openDish(wok);
  expect(addButton()).toHaveProperty('disabled', true);
  screen.getByText('Choose: Sauce');
  expect(screen.getByRole('radio', { name: /Unagi.*Not available now/ })).toHaveProperty(
    'disabled',
    true,
  );
  await user.click(screen.getByRole('radio', { name: /Soy/ }));
  expect(addButton()).toHaveProperty('disabled', false);
});

it('counts modifiers and portions on the button at once and sends the choice', async () => {
  let sent: unknown;
  server.use(
    answer('put', '/cart/add', async ({ request }) => {
      sent = await request.json();
      return { cart: makeCart([], delivered) };
    }),
  );
  await openDish(wok);
  fireEvent.click(screen.getByRole('radio', { name: /Spicy/ }));
  fireEvent.click(screen.getByRole('button', { name: 'Add one: Sesame' }));
  fireEvent.click(screen.getByRole('button', { name: 'Add one: Wok' }));
  expect(addButton().textContent).toContain('€26');
  fireEvent.click(addButton());
  await expect
    .poll(() => sent)
    .toMatchObject({
      product_key: '1-1',
      count: 2,
      modifiers: [
        { id: 4, count: 1 },
        { id: 2, group_id: 9, count: 1 },
      ],
    });
});

it('shows what of the dish is in the cart, each choice with its own counter', async () => {
  const soy = [{ id: 1, group_id: 9, name: 'Soy', count: 1, price: 1.5 }];
  const line = makeLine({ key: '1-1~ab', product_key: '1-1', count: 2, modifiers: soy });
  await openDish(wok, { cart: makeCart([line], delivered) });
  await screen.findByText('2 portions are in the cart');
  screen.getByRole('button', { name: 'Add one: Wok, Soy' });
});

it('offers no way to the cart while the dish is stopped, and says why', async () => {
  await openDish(makeProduct({ name: 'Eel', type: 'stop', alert: 'Back at 18:00' }));
  screen.getByText('Back at 18:00');
  expect(screen.queryByRole('button', { name: /^Add/ })).toBeNull();
});

it('offers no way to the cart while the city takes no orders, and says why', async () => {
  const city = makeCity({ type: 'stop', alert: 'We are back on Monday' });
  await openDish(wok, { city });
  screen.getByText('We are back on Monday');
  expect(screen.queryByRole('button', { name: /^Add/ })).toBeNull();
});

it('asks for the place in its own stead when there is none yet', async () => {
  forgetPlaces();
  localStorage.clear();
  server.use(answer('get', '/user/addresses', () => ({ delivery_addresses: [] })));
  const { client } = await openDish(makeProduct({ name: 'Eel' }), { cart: makeCart() });
  await expect.poll(() => client.getQueryData(cartKey(1))).toBeDefined();
  fireEvent.click(addButton());
  expect(modals.get().defaults).toMatchObject([{ name: 'order-types' }]);
});
