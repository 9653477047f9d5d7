import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeOrder, makeReadyCart, makeStatus } from '@/testing/orders';
import { answer, server } from '@/testing/server';
import { now, open, Stream } from './tracking-page.fixture';

beforeEach(() => {
  Stream.open = [];
  vi.stubGlobal('EventSource', Stream);
  vi.spyOn(Date, 'now').mockReturnValue(now);
});
afterEach(() => vi.unstubAllGlobals());

it('says how a repeated order differs', async () => {
  const status = makeStatus({ alias: 'done', final: true, can_cancel: false, can_repeat: true });
  server.use(
    answer('post', '/order/repeat', () => ({
      order_type: 'delivery' as const,
      city_alias: 'berlin',
      cart: makeReadyCart(),
      product_groups: [],
      popular_products: [],
      changes: [
        { name: 'Philadelphia', kind: 'price' as const, old_price: 10, new_price: 12.5 },
        { name: 'Rolls in pairs', kind: 'count' as const, old_count: 3, new_count: 4 },
        { name: 'WOK10', kind: 'promocode' as const },
        { name: 'Miso soup', kind: 'gift' as const },
      ],
    })),
  );
  const { user, places } = open(makeOrder({ status }));
  await user.click(await screen.findByRole('button', { name: 'Order again' }));
  expect(
    await screen.findByText('Not everything is as it was', {}, { timeout: 4000 }),
  ).toBeTruthy();
  expect(screen.getByText('€10')).toBeTruthy();
  expect(screen.getByText('3 pcs').tagName).toBe('DEL');
  screen.getByText('4 pcs');
  screen.getByText('Promo code WOK10 is not carried over');
  screen.getByText('The gift “Miso soup” is not carried over: take it again if it is there');
  await waitFor(() => expect(places).toContain('/berlin/cart'));
});

it('asks what becomes of a filled cart when an order is repeated, and brings it back', async () => {
  const status = makeStatus({ alias: 'done', final: true, can_cancel: false, can_repeat: true });
  const cart = makeReadyCart();
  const modes: unknown[] = [];
  server.use(
    answer('post', '/order/repeat/undo', () => {
      modes.push('undo');
      return { cart };
    }),
    http.post('*/order/repeat', async ({ request }) => {
      const { mode } = (await request.json()) as { mode: string };
      modes.push(mode);
      if (mode === 'empty') return HttpResponse.json({ message: 'Filled', cart }, { status: 409 });
      const order_type = 'delivery';
      const empty = { product_groups: [], popular_products: [], changes: [] };
      return HttpResponse.json({ order_type, city_alias: 'berlin', cart, ...empty });
    }),
  );
  const { user, places } = open(makeOrder({ status }));
  await user.click(await screen.findByRole('button', { name: 'Order again' }));
  await screen.findByText('There are dishes in your cart already', {}, { timeout: 4000 });
  await user.click(screen.getByRole('button', { name: 'Add to them', hidden: true }));
  await waitFor(() => expect(places).toContain('/berlin/cart'));
  await user.click(await screen.findByRole('button', { name: 'Undo', hidden: true }));
  await waitFor(() => expect(modes).toEqual(['empty', 'add', 'undo']));
});

it('offers to undo the repeat again when the call was lost', async () => {
  const cart = makeReadyCart();
  const keys: (string | null)[] = [];
  server.use(
    http.post('*/order/repeat/undo', ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return keys.length === 1 ? HttpResponse.error() : HttpResponse.json({ cart });
    }),
    http.post('*/order/repeat', async ({ request }) => {
      const { mode } = (await request.json()) as { mode: string };
      if (mode === 'empty') return HttpResponse.json({ message: 'Filled', cart }, { status: 409 });
      const empty = { product_groups: [], popular_products: [], changes: [] };
      return HttpResponse.json({ order_type: 'delivery', city_alias: 'berlin', cart, ...empty });
    }),
  );
  const { user } = open(makeOrder({ status: makeStatus({ final: true, can_repeat: true }) }));
  await user.click(await screen.findByRole('button', { name: 'Order again' }));
  await user.click(await screen.findByRole('button', { name: 'Add to them', hidden: true }));
  await user.click(await screen.findByRole('button', { name: 'Undo', hidden: true }));
  await screen.findByText('No connection. Check the network and try again.');
  await user.click(await screen.findByRole('button', { name: 'Undo', hidden: true }));
  await waitFor(() => expect(keys).toEqual([keys[0], keys[0]]));
});
