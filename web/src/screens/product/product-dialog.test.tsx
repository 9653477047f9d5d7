import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { keys } from '@/api/keys';
import type { Schema } from '@/api/types';
import { setAvoided } from '@/entities/allergens/avoided';
import { clearPlaces, setPlace } from '@/entities/place/place';
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
// Loaded with the test: its chunk takes longer than a test waits where the machine is busy.
import './product-dialog';

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
  clearPlaces();
  setPlace(1, { orderType: 'delivery', address });
});

/** Renders the page with the dialog of a dish open; `menu` by default has only that dish. */
async function openDish(
  product: Schema<'Product'>,
  {
    cart = makeCart([], delivered),
    city = makeCity(),
    menu = { product_groups: [makeGroup({ products: [product] })], popular_products: [] },
  }: Partial<{
    cart: Schema<'Cart'>;
    city: Schema<'City'>;
    menu: Schema<'Menu'>;
  }> = {},
) {
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
  const unagi = screen.getByRole('radio', { name: 'Unagi', description: /Not available now/ });
  expect(unagi).toHaveProperty('disabled', true);
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

it('gives up what is stopped while the dish is open, and adds the rest', async () => {
  const ginger = modifier(5, 'Ginger', { count: 1 });
  const withDefault = {
    ...wok,
    modifiers: { ...wok.modifiers, single: [...wok.modifiers.single, ginger] },
  };
  const { client } = await openDish(withDefault);
  fireEvent.click(screen.getByRole('radio', { name: /Spicy/ }));
  expect(addButton().textContent).toContain('€13');
  const stopped = {
    ...withDefault,
    modifiers: {
      available: true,
      single: [{ ...ginger, type: 'stop' as const }],
      groups: [
        {
          ...sauces,
          modifiers: { ...sauces.modifiers, 2: modifier(2, 'Spicy', { type: 'stop' }) },
        },
      ],
    },
  };
  server.use(
    answer('get', '/products', () => ({
      product_groups: [makeGroup({ products: [stopped] })],
      popular_products: [],
    })),
  );
  await client.invalidateQueries({ queryKey: keys.menus() });
  await screen.findByText('Choose: Sauce');
  expect(screen.getByRole('checkbox', { name: 'Ginger' })).toHaveProperty('checked', false);
  fireEvent.click(screen.getByRole('radio', { name: /Soy/ }));
  expect(addButton()).toHaveProperty('disabled', false);
  expect(addButton().textContent).toContain('€11.50');
});

it('adds whole portions when the dish is sold in more of them while it is open', async () => {
  const roll = makeProduct({ price: 10, sale_multiplicity: 1 });
  const { client } = await openDish(roll);
  fireEvent.click(screen.getByRole('button', { name: `Add one: ${roll.name}` }));
  fireEvent.click(screen.getByRole('button', { name: `Add one: ${roll.name}` }));
  expect(addButton().textContent).toContain('€30');
  const inTwos = makeGroup({ products: [{ ...roll, sale_multiplicity: 2 }] });
  server.use(
    answer('get', '/products', () => ({ product_groups: [inTwos], popular_products: [] })),
  );
  await client.invalidateQueries({ queryKey: keys.menus() });
  await waitFor(() => expect(addButton().textContent).toContain('€40'));
});

it('shows what of the dish is in the cart, each choice with its own counter', async () => {
  const soy = [{ id: 1, group_id: 9, name: 'Soy', count: 1, price: 1.5 }];
  const line = makeLine({ key: '1-1~ab', product_key: '1-1', count: 2, modifiers: soy });
  await openDish(wok, { cart: makeCart([line], delivered) });
  await screen.findByText('2 portions are in the cart');
  screen.getByRole('button', { name: 'Add one: Wok, Soy' });
});

it('counts up to 99 of the dish, whatever is chosen with it', async () => {
  const own = { product_key: '1-1', modifiers: [] };
  const soy = [{ id: 1, group_id: 9, name: 'Soy', count: 1, price: 1.5 }];
  const lines = [
    makeLine({ ...own, key: '1-1', count: 59 }),
    makeLine({ ...own, key: '1-1~ab', count: 40, modifiers: soy }),
  ];
  await openDish(wok, { cart: makeCart(lines, delivered) });
  await screen.findByText('99 portions are in the cart');
  const plus = screen.getByRole('button', { name: 'Add one: Wok, Soy' });
  expect(plus).toHaveProperty('disabled', true);
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
  clearPlaces();
  localStorage.clear();
  server.use(answer('get', '/user/addresses', () => ({ delivery_addresses: [] })));
  const { client } = await openDish(makeProduct({ name: 'Eel' }), { cart: makeCart() });
  await expect.poll(() => client.getQueryData(keys.cart(1))).toBeDefined();
  fireEvent.click(addButton());
  expect(modals.get().defaults).toMatchObject([{ name: 'order-types' }]);
});

it('says how many of a group are included, and prices only what is beyond', async () => {
  const dips = {
    ...sauces,
    min: 0,
    max: 3,
    free: 1,
    modifiers: { 1: modifier(1, 'Soy', { max: 3 }), 2: modifier(2, 'Garlic', { max: 3 }) },
  };
  const modifiers = { available: true, single: [], groups: [dips] };
  const { user } = await openDish(makeProduct({ name: 'Nuggets', price: 10, modifiers }));
  screen.getByText('Choose up to 3. 1 is included, more at extra cost');
  expect(screen.getAllByText('included')).toHaveLength(2);
  await user.click(screen.getByRole('button', { name: 'Add one: Soy' }));
  expect(addButton().textContent).toContain('€10');
  expect(screen.getAllByText('included')).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Add one: Garlic' }));
  expect(addButton().textContent).toContain('€11.50');
});

it('warns of what is avoided in the dish, in its modifiers and in what is chosen by default', async () => {
  const milk = { alias: 'milk', name: 'milk' };
  const creamy = modifier(1, 'Creamy', { count: 1, allergens: [milk] });
  const modifiers = {
    available: true,
    single: [],
    groups: [{ ...sauces, modifiers: { 1: creamy, 2: modifier(2, 'Soy') } }],
  };
  setAvoided(['milk']);
  const { user } = await openDish(makeProduct({ name: 'Nuggets', modifiers }));
  screen.getByText('Chosen by default, but with something you do not eat: Creamy');
  screen.getByRole('radio', { name: 'Creamy', description: '+€1.50. Contains milk' });
  // At the modifier, and where the dish is added.
  expect(screen.getAllByText('Contains milk')).toHaveLength(2);
  expect(addButton()).toHaveProperty('disabled', false);
  await user.click(screen.getByRole('radio', { name: /Soy/ }));
  expect(screen.getAllByText('Contains milk')).toHaveLength(1);
  expect(screen.queryByText(/Chosen for you/)).toBeNull();
});

it('names a modifier without its price and allergens, which describe it, the price first', async () => {
  const gluten = { alias: 'gluten', name: 'gluten' };
  const milk = { alias: 'milk', name: 'milk' };
  const doughs = {
    1: modifier(1, 'Traditional', { price: 0, allergens: [gluten] }),
    2: modifier(2, 'Cheese-filled', { allergens: [gluten, milk] }),
  };
  const single = [
    modifier(4, 'Parmesan', { price: 0, allergens: [milk] }),
    modifier(5, 'Chilli oil'),
  ];
  const modifiers = { available: true, single, groups: [{ ...sauces, modifiers: doughs }] };
  await openDish(makeProduct({ name: 'Margherita', modifiers }));
  const control = (role: string, name: string, description: string | RegExp) =>
    screen.getByRole(role, { name, description });
  control('radio', 'Traditional', 'no extra charge. Allergens: gluten');
  control('radio', 'Cheese-filled', '+€1.50. Allergens: gluten, milk');
  control('checkbox', 'Parmesan', 'no extra charge. Allergens: milk');
  control('checkbox', 'Chilli oil', /^\+€1\.50\./);
  expect(screen.queryByText('free')).toBeNull();
});

it('shows both prices where delivery and takeaway differ', async () => {
  await openDish(makeProduct({ order_type_prices: { delivery: 12.5, takeaway: 10 } }));
  screen.getByText('Delivery €12.50');
  screen.getByText('Takeaway €10');
});

it('names the parts of a set, and until when one of them is away', async () => {
  const eel = makeProduct({ key: 'eel', name: 'Eel', type: 'stop', alert: 'Back at 18:00' });
  const set_of = [
    { product_key: 'eel', name: 'Eel', count: 2 },
    { product_key: 'tuna', name: 'Tuna', count: 1 },
  ];
  const set = makeProduct({ key: 'set', name: 'Two fish', set_of });
  const menu = { product_groups: [makeGroup({ products: [set, eel] })], popular_products: [] };
  await openDish(set, { menu });
  screen.getByText('Eel × 2');
  screen.getByText('Tuna');
  screen.getByText('Back at 18:00');
});

it('offers what goes well with the dish', async () => {
  const soy = makeProduct({ key: 'soy', name: 'Soy sauce' });
  server.use(answer('post', '/products/get-related-products', () => ({ products: [soy] })));
  await openDish(makeProduct({ has_related_products: true }));
  await screen.findByRole('region', { name: 'Goes well with it' });
  screen.getByRole('button', { name: /Add to cart: Soy sauce/ });
});

it('opens an addition that is on no menu, with its details', async () => {
  const sauce = makeProduct({ key: '1-9', name: 'Unagi sauce', type: 'related' });
  server.use(
    answer('put', '/cart', () => ({ cart: makeCart([], delivered) })),
    answer('get', '/products', () => ({ product_groups: [makeGroup()], popular_products: [] })),
    answer('get', '/products/{product_key}', () => ({ product: sauce })),
  );
  renderInCity(null, { data: makePageData() });
  openModal('product', { productKey: '1-9' });
  await screen.findByRole('dialog', { name: 'Unagi sauce' });
  expect(addButton()).toHaveProperty('disabled', false);
});
