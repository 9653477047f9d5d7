import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Schema } from '@/api/types';
import { clearPlaces, setPlace } from '@/entities/place/place';
import { makeCart, makeLine } from '@/testing/fixtures';
import { makeFoundAddress } from '@/testing/places';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
import { CartPanel } from './cart-panel';

const address = makeFoundAddress();

beforeEach(() => {
  clearPlaces();
  setPlace(1, { orderType: 'delivery', address });
  server.use(
    answer('post', '/products/get-related-products', () => ({ products: [] })),
    answer('get', '/products', () => ({ product_groups: [], popular_products: [] })),
    answer('post', '/user/payment-types', () => ({ payment_types: [] })),
  );
});

/** Renders the panel with a cart and waits for its lines. */
async function renderCart(cart: Schema<'Cart'>) {
  server.use(answer('put', '/cart', () => ({ cart })));
  renderInCity(<CartPanel />);
  await screen.findByRole('list', { name: 'Products in the cart' });
}

describe('packages', () => {
  it('are left out at once, before the server has answered', async () => {
    const bag = { id: 1, alias: 'paket', name: 'Bag', price: 0.5, count: 1, can_refuse: true };
    let allow = () => {};
    const allowed = new Promise<void>((resolve) => {
      allow = resolve;
    });
    const cart = makeCart([makeLine()], { delivery_address: address, packages: [bag] });
    server.use(
      answer('put', '/cart/packages/bag', async () => {
        await allowed;
        return { cart: { ...cart, without_bag: true, packages: [{ ...bag, count: 0 }] } };
      }),
    );
    await renderCart(cart);
    const box = () => screen.getByRole<HTMLInputElement>('checkbox', { name: 'Leave out: Bag' });
    fireEvent.click(box());
    expect(box().checked).toBe(true);
    allow();
    await waitFor(() => expect(screen.queryByText('Bag')).toBeNull());
    expect(box().checked).toBe(true);
  });

  it('are named where they are charged for, with their price', async () => {
    const box = { id: 2, alias: 'box', name: 'Pizza box', price: 3, count: 2, can_refuse: false };
    await renderCart(makeCart([makeLine()], { delivery_address: address, packages: [box] }));
    const packages = screen.getByRole('region', { name: 'Packages' });
    within(packages).getByText('Pizza box × 2');
    within(packages).getByText(/6/);
    expect(screen.queryByRole('checkbox', { name: /^Leave out/ })).toBeNull();
  });

  it('are all named that come no more once packages are refused, not the bag alone', async () => {
    const bag = { id: 1, alias: 'paket', name: 'Bag', price: 0.5, count: 1, can_refuse: true };
    const sticks = {
      id: 2,
      alias: 'sticks',
      name: 'Chopsticks',
      price: 0,
      count: 2,
      can_refuse: true,
    };
    const box = { id: 3, alias: 'box', name: 'Pizza box', price: 3, count: 2, can_refuse: false };
    await renderCart(
      makeCart([makeLine()], { delivery_address: address, packages: [bag, sticks, box] }),
    );
    screen.getByRole('checkbox', { name: 'Leave out: Bag, Chopsticks' });
  });
});
