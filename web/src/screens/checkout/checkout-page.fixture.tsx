import { screen, waitFor } from '@testing-library/react';
import { expect, onTestFinished } from 'vitest';
import { Route } from 'wouter';
import type { Schema } from '@/api/types';
import { acknowledgementIn } from '@/entities/cart/acknowledged/store';
import { setPlace } from '@/entities/place/place';
import { makeCity, makePageData } from '@/testing/fixtures';
import { makeInterval, makeReadyCart, makeTimes } from '@/testing/orders';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
import { CheckoutPage } from './checkout-page';

export const city = makeCity({ banknotes: [20, 50, 100] });
export const guestData = makePageData({ city, path: '/berlin/cart?step=2' });
export const placed = {
  order_id: 12345678,
  payment_type: 'cash',
  status: 'accepted',
  link: 'secret',
} as const;
export const times = makeTimes();

const deadline = {
  order_cache_key: 'key-1',
  created_at: '2026-11-21T18:00:00Z',
  expires_at: '2026-11-21T18:10:00Z',
  is_time_held: true,
};

const paymentTypes: Schema<'PaymentType'>[] = [
  { alias: 'cash', name: 'Cash', is_online: false },
  { alias: 'card', name: 'Card to the courier', is_online: false },
];

/**
 * Renders the second step of the checkout with a cart, and waits until it counts as agreed. `sent` collects the
 * bodies sent to order/create. The checkout is at its path alone with `isRouted`, otherwise at every path.
 */
export async function openCheckout(
  cart: Schema<'Cart'> = makeReadyCart(),
  intervals = [makeInterval()],
  data: Schema<'PageData'> = guestData,
  isRouted = false,
) {
  const sent: Schema<'OrderCreate'>[] = [];
  setPlace(city.id, { orderType: 'delivery', address: cart.delivery_address });
  server.use(
    answer('put', '/cart', () => ({ cart })),
    answer('get', '/products', () => ({ product_groups: [], popular_products: [] })),
    answer('post', '/products/get-related-products', () => ({ products: [] })),
    answer('post', '/schedule/intervals', () => ({ ...times, intervals })),
    answer('post', '/user/payment-types', () => ({ payment_types: paymentTypes })),
    answer('post', '/order/create-order-cache', () => deadline),
    answer('post', '/order/create', async ({ request }) => {
      sent.push((await request.json()) as Schema<'OrderCreate'>);
      return placed;
    }),
  );
  const shown = isRouted ? (
    <Route path="/berlin/cart" component={CheckoutPage} />
  ) : (
    <CheckoutPage />
  );
  const page = renderInCity(shown, { data });
  // Carts of a late answer would be compared in the next test.
  onTestFinished(() => page.client.cancelQueries());
  await screen.findByRole('radio', { name: 'Cash' });
  // The comparison of carts is a chunk of its own, which may load later than the page.
  await waitFor(() => expect(acknowledgementIn(city.id).agreed).toBeDefined());
  return { ...page, sent };
}

/** Returns the button that places the order. */
export const orderButton = () =>
  screen.getByRole('button', { name: /Order with obligation to pay/ });

/** Fills in apartment, name and phone. */
export async function fillIn(user: Awaited<ReturnType<typeof openCheckout>>['user']) {
  const fields = { Apartment: '12', 'Your name': 'Anna', Phone: '30123456789' };
  for (const [label, text] of Object.entries(fields)) {
    await user.click(screen.getByRole('textbox', { name: new RegExp(label) }));
    await user.paste(text);
  }
}
