import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { clearPlaces, setPlace } from '@/entities/place/place';
import {
  makeCart,
  makeCity,
  makeGroup,
  makeLine,
  makePageData,
  makeProduct,
  makeSite,
} from '@/testing/fixtures';
import { makeFoundAddress } from '@/testing/places';
import { renderInCity } from '@/testing/render';
import { answer, refuse, server } from '@/testing/server';
import { modals } from '@/ui/modals/modal-store';
import { MenuList } from './menu-list';

const cartIsEmpty = () => server.use(answer('put', '/cart', () => ({ cart: makeCart() })));

const groups = [
  makeGroup({ id: 1, alias: 'rolls', name: 'Rolls', show_on_main: true }),
  makeGroup({
    id: 2,
    alias: 'wok',
    name: 'Wok',
    products: [
      makeProduct({ id: 2, key: 'wok', name: 'Wok with beef', product_group_id: 2 }),
      makeProduct({
        id: 4,
        key: 'ramen',
        name: 'Ramen',
        product_group_id: 2,
        modifiers: { available: true, single: [], groups: [] },
      }),
      makeProduct({
        id: 3,
        key: 'udon',
        name: 'Udon',
        type: 'stop',
        alert: 'Back at 18:00',
        product_group_id: 2,
      }),
    ],
  }),
  makeGroup({ id: 3, alias: 'empty', name: 'Nothing', products: [] }),
];
const data = (popular: string[] = []) =>
  makePageData({ menu: { product_groups: groups, popular_products: popular } });

beforeEach(() => {
  clearPlaces();
  localStorage.clear();
});

describe('the menu', () => {
  it('marks what is written in another language than the page', () => {
    cartIsEmpty();
    const soups = makeGroup({
      name: 'Zupy',
      lang: 'pl',
      products: [
        makeProduct({
          name: 'Żurek',
          lang: 'pl',
          description: 'Sour rye soup',
          composition: 'mąka żytnia',
          composition_lang: 'pl',
        }),
      ],
    });
    const polish = makePageData({ menu: { product_groups: [soups], popular_products: [] } });
    renderInCity(<MenuList />, { data: polish });
    for (const text of [/Żurek/, 'mąka żytnia']) {
      expect(screen.getByText(text).closest('[lang]')?.getAttribute('lang')).toBe('pl');
    }
    expect(screen.getByRole('heading', { name: 'Zupy' }).getAttribute('lang')).toBe('pl');
  });

  it('shows each group that has products under its heading and in the category bar', () => {
    cartIsEmpty();
    renderInCity(<MenuList />, { data: data() });
    const bar = screen.getByRole('navigation', { name: 'Menu groups' });
    expect(
      within(bar)
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual(['Rolls', 'Wok']);
    expect(screen.getByRole('heading', { level: 2, name: 'Wok' })).toBeDefined();
  });

  it('puts a product into the cart by its price', async () => {
    const address = makeFoundAddress();
    const cart = makeCart([], { delivery_address: address });
    server.use(
      answer('get', '/products', () => ({ product_groups: groups, popular_products: [] })),
      answer('put', '/cart', () => ({ cart })),
    );
    setPlace(1, { orderType: 'delivery', address });
    const { user } = renderInCity(<MenuList />, { data: data() });
    await user.click(await screen.findByRole('button', { name: /Add to cart: Wok with beef/ }));
    expect(screen.getByRole('button', { name: 'Add one: Wok with beef' })).toBeDefined();
  });

  it('says that a product with modifiers is chosen first', async () => {
    cartIsEmpty();
    renderInCity(<MenuList />, { data: data() });
    const price = screen.getByRole('button', { name: 'Choose: Ramen, €12.50' });
    expect(price.getAttribute('aria-haspopup')).toBe('dialog');
  });

  it('opens a product with modifiers by the price that it is chosen with', async () => {
    cartIsEmpty();
    const { user } = renderInCity(<MenuList />, { data: data() });
    await user.click(screen.getByRole('button', { name: /^Choose: Ramen/ }));
    expect(modals.get().defaults).toMatchObject([
      { name: 'product', params: { productKey: 'ramen' } },
    ]);
  });

  it('counts a product with modifiers that is in the cart', async () => {
    const modifiers = [{ id: 1, name: 'Egg', count: 1, price: 1 }];
    const line = makeLine({ key: 'ramen+1', product_key: 'ramen', name: 'Ramen', modifiers });
    server.use(answer('put', '/cart', () => ({ cart: makeCart([line]) })));
    renderInCity(<MenuList />, { data: data() });
    await screen.findByRole('button', { name: 'Add one: Ramen' });
    expect(screen.queryByRole('button', { name: /^Choose: Ramen/ })).toBeNull();
  });

  it('takes nothing while the city takes no orders', () => {
    cartIsEmpty();
    const city = makeCity({ type: 'stop' });
    renderInCity(<MenuList />, { data: { ...data(), city } });
    for (const name of [/Add to cart: Wok with beef/, /Choose: Ramen/]) {
      expect(screen.getByRole('button', { name })).toHaveProperty('disabled', true);
    }
  });

  it('says in place of its price until when a stopped product is not available', () => {
    cartIsEmpty();
    renderInCity(<MenuList />, { data: data() });
    expect(screen.getByText('Will be back later')).toBeDefined();
    expect(screen.getByText('Back at 18:00')).toBeDefined();
    expect(screen.queryByRole('button', { name: /Add to cart: Udon/ })).toBeNull();
  });

  it('names what is often ordered, without what is stopped', () => {
    cartIsEmpty();
    renderInCity(<MenuList />, { data: data(['wok', 'udon', 'unknown']) });
    const row = screen.getByRole('region', { name: 'Often ordered' });
    expect(within(row).getAllByRole('article')).toHaveLength(1);
  });

  it('puts what is often ordered into the cart', async () => {
    const address = makeFoundAddress();
    const cart = makeCart([], { delivery_address: address });
    server.use(
      answer('get', '/products', () => ({
        product_groups: groups,
        popular_products: ['wok', 'ramen'],
      })),
      answer('put', '/cart', () => ({ cart })),
    );
    setPlace(1, { orderType: 'delivery', address });
    const { user } = renderInCity(<MenuList />, { data: data(['wok', 'ramen']) });
    const row = within(await screen.findByRole('region', { name: 'Often ordered' }));
    expect(row.getByRole('button', { name: /^Choose: Ramen/ })).toBeDefined();
    await user.click(row.getByRole('button', { name: /^Add to cart: Wok with beef/ }));
    expect(await row.findByRole('button', { name: 'Add one: Wok with beef' })).toBeDefined();
    // The same dish in its group counts too.
    expect(screen.getAllByRole('button', { name: 'Add one: Wok with beef' })).toHaveLength(2);
  });

  it('shows the price of the other way to order where it differs', () => {
    cartIsEmpty();
    const cheaper = { order_type_prices: { delivery: 12.5, takeaway: 10 } };
    const equal = { order_type_prices: { delivery: 12.5, takeaway: 12.5 } };
    const products = [makeProduct(cheaper), makeProduct({ ...equal, key: 'wok', name: 'Wok' })];
    const menu = { product_groups: [makeGroup({ products })], popular_products: [] };
    renderInCity(<MenuList />, { data: makePageData({ menu }) });
    expect(screen.getAllByText(/^Takeaway/).map(({ textContent }) => textContent)).toEqual([
      'Takeaway €10',
    ]);
    expect(document.querySelector('del')).toBeNull();
  });

  it('counts in the steps of the last work hour when the cart says that it is', async () => {
    const roll = makeProduct({ sale_multiplicity_last_hour: 2 });
    const menu = { product_groups: [makeGroup({ products: [roll] })], popular_products: [] };
    const cart = makeCart([makeLine({ count: 2, sale_multiplicity: 2 })], { last_hour: true });
    server.use(answer('put', '/cart', () => ({ cart })));
    renderInCity(<MenuList />, { data: makePageData({ menu }) });
    expect(await screen.findByRole('button', { name: 'Add 2: Philadelphia' })).toBeDefined();
  });

  it('features groups only where the settings ask for it', () => {
    cartIsEmpty();
    const site = makeSite({ show_popular_product_groups: false });
    renderInCity(<MenuList />, { data: { ...data(), site } });
    expect(screen.queryByRole('heading', { name: 'Featured' })).toBeNull();
  });

  it('features three groups at most', () => {
    cartIsEmpty();
    const four = ['Rolls', 'Wok', 'Soups', 'Drinks'].map((name, place) =>
      makeGroup({ id: place + 1, alias: name.toLowerCase(), name, show_on_main: true }),
    );
    const menu = { product_groups: four, popular_products: [] };
    renderInCity(<MenuList />, { data: makePageData({ menu }) });
    const featured = within(screen.getByRole('region', { name: 'Featured' }));
    expect(featured.getAllByRole('link').map((link) => link.textContent)).toEqual([
      'Rolls',
      'Wok',
      'Soups',
    ]);
  });

  it('offers to load the menu again when it could not be loaded', async () => {
    cartIsEmpty();
    server.use(refuse('get', '/products', 500, { message: 'No' }));
    const nothing = makePageData({ menu: undefined, place: undefined });
    const { user } = renderInCity(<MenuList />, { data: nothing });
    await screen.findByText('The menu could not be loaded');
    server.use(
      answer('get', '/products', () => ({ product_groups: groups, popular_products: [] })),
    );
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.getByText('Wok with beef')).toBeDefined());
  });
});
