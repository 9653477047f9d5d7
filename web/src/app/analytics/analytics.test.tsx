import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { keys } from '@/api/keys';
import type { Schema } from '@/api/types';
import { writeLastOrder } from '@/entities/order/last-order';
import { makeCart, makeCity, makeLine } from '@/testing/fixtures';
import { makeOrder } from '@/testing/orders';
import { makePayment } from '@/testing/payments';
import { answer, server } from '@/testing/server';
import Analytics from './analytics';

interface ProviderWindow {
  ym?: { a?: unknown[][] };
  metrikaEvents?: { ecommerce: Record<string, unknown> }[];
  dataLayer?: ArrayLike<unknown>[];
}

const providers = window as unknown as ProviderWindow;
const metrikaId = 12345;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.setSystemTime('2026-11-24T12:00:00Z');
  providers.ym = undefined;
  providers.metrikaEvents = undefined;
  providers.dataLayer = undefined;
  for (const script of document.querySelectorAll('head script')) script.remove();
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function open(
  path: string,
  accounts: Schema<'Analytics'> = { metrika_id: metrikaId, ga4_id: 'G-1' },
) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(keys.city('berlin'), makeCity());
  const { hook, navigate } = memoryLocation({ path });
  const shown = render(
    <QueryClientProvider client={client}>
      <Router hook={hook}>
        <Analytics accounts={accounts} allowsMarketing={false} />
      </Router>
    </QueryClientProvider>,
  );
  return {
    ...shown,
    client,
    navigate,
    setCart: (cart: Schema<'Cart'>) => act(() => client.setQueryData(keys.cart(1), cart)),
    setOrder: (order: Schema<'Order'>) =>
      act(() => client.setQueryData(keys.order(order.order_id), order)),
  };
}

const calls = () => providers.ym?.a ?? [];
const viewed = () => calls().flatMap(([, name, address]) => (name === 'hit' ? [address] : []));
const goals = () => calls().flatMap(([, name, goal]) => (name === 'reachGoal' ? [goal] : []));
const sold = () => (providers.metrikaEvents ?? []).map(({ ecommerce }) => ecommerce);
const tagged = () => [...(providers.dataLayer ?? [])].map((args) => Array.from(args));
const named = (name: string) =>
  tagged().filter(([kind, event]) => kind === 'event' && event === name);

const cartOf = (count: number) => makeCart([makeLine({ count })]);

/** Portions of the first item of each such event. */
const portionsIn = (name: string) =>
  named(name).map(
    ([, , params]) => (params as { items: { quantity: number }[] }).items[0]?.quantity,
  );

describe('analytics', () => {
  it('loads the scripts of the accounts that the brand has, and no other', () => {
    open('/berlin', { ga4_id: 'G-1' });
    const sources = [...document.head.querySelectorAll('script')].map(({ src }) => src);
    expect(sources).toEqual(['https://www.googletagmanager.com/gtag/js?id=G-1']);
    expect(providers.ym).toBeUndefined();
  });

  it('reports each page by its path, without what names an order or a visitor', () => {
    const { navigate } = open('/berlin');
    act(() => navigate('/berlin/order/12345678/tracking?t=secret'));
    act(() => navigate('/berlin/order/payment/1a2b'));
    expect(viewed().map((address) => new URL(String(address)).pathname)).toEqual([
      '/berlin',
      '/berlin/order/number/tracking',
      '/berlin/order/payment/key',
    ]);
    expect(JSON.stringify([calls(), tagged()])).not.toMatch(/12345678|secret|1a2b/);
  });

  it('reports what the server has put into the cart and taken out of it', () => {
    const { setCart } = open('/berlin');
    setCart(cartOf(1));
    setCart(cartOf(3));
    setCart(cartOf(2));
    expect(portionsIn('add_to_cart')).toEqual([2]);
    expect(portionsIn('remove_from_cart')).toEqual([1]);
    expect(sold().map((event) => Object.keys(event)[1])).toEqual(['add', 'remove']);
  });

  it('does not take an ordered cart for one that was emptied', () => {
    const { setCart } = open('/berlin/cart');
    setCart(cartOf(2));
    writeLastOrder({ orderId: 12345678, cityAlias: 'berlin' });
    setCart(makeCart());
    expect(named('remove_from_cart')).toEqual([]);
  });

  it('reports the checkout once for each time it is opened', () => {
    const { setCart, navigate } = open('/berlin/cart');
    setCart(cartOf(1));
    setCart(cartOf(2));
    expect(named('begin_checkout')).toHaveLength(1);
    act(() => navigate('/berlin'));
    act(() => navigate('/berlin/cart'));
    expect(named('begin_checkout')).toHaveLength(2);
  });

  it('reports an order of this device once, with two days of memory', () => {
    const cookies = vi.spyOn(document, 'cookie', 'set');
    const shop = open('/berlin/cart');
    shop.setCart(cartOf(2));
    vi.advanceTimersByTime(60_000);
    const order = makeOrder({ created_at: new Date().toISOString(), payment: undefined });
    shop.setOrder(order);
    shop.setOrder({ ...order, status: { ...order.status } });
    expect(named('purchase')).toHaveLength(1);
    expect(named('purchase')[0]?.[2]).toMatchObject({
      transaction_id: String(order.order_id),
      value: order.cart.prices.total,
    });
    expect(cookies.mock.calls.join(' ')).toContain(
      `purchases=${order.order_id}; Path=/; Max-Age=172800`,
    );
  });

  it('reports no order that is not paid, is canceled or was placed elsewhere', () => {
    const shop = open('/berlin');
    const created = new Date().toISOString();
    shop.setOrder(makeOrder({ order_id: 1, created_at: created, payment: undefined })); // no checkout here
    act(() => shop.navigate('/berlin/cart'));
    shop.setCart(cartOf(1));
    const status = { ...makeOrder().status, alias: 'canceled' as const };
    shop.setOrder(makeOrder({ order_id: 2, created_at: created, payment: undefined, status }));
    const payment = { state: 'checking' as const, order_cache_key: 'k', pay_until: created };
    shop.setOrder(makeOrder({ order_id: 3, created_at: created, payment }));
    expect(named('purchase')).toEqual([]);
  });

  it('asks for the order of a payment that has succeeded, and reports it', async () => {
    vi.useRealTimers();
    const shop = open('/berlin/cart');
    shop.setCart(cartOf(1));
    const payment = {
      state: 'paid' as const,
      order_cache_key: 'k',
      pay_until: '2026-11-24T12:10:00Z',
    };
    const order = makeOrder({ created_at: new Date().toISOString(), payment });
    server.use(answer('get', '/order/{id}', () => ({ order })));
    const paid = makePayment({ order_id: order.order_id, state: 'paid' });
    act(() => shop.client.setQueryData(keys.orderPayment('k'), paid));
    await vi.waitFor(() => expect(named('purchase')).toHaveLength(1));
  });

  it('reports one second after the last letter that a promocode was typed, not which', () => {
    open('/berlin/cart');
    const field = document.createElement('input');
    field.name = 'promocode';
    document.body.append(field);
    for (const text of ['S', 'SE', 'SECRET10']) {
      field.value = text;
      field.dispatchEvent(new Event('input', { bubbles: true }));
      vi.advanceTimersByTime(500);
    }
    expect(goals()).toEqual([]);
    vi.advanceTimersByTime(500);
    expect(goals()).toEqual(['promocode']);
    expect(named('promocode')).toHaveLength(1);
    expect(JSON.stringify([calls(), tagged()])).not.toContain('SE');
    field.remove();
  });

  it('stops for good once it is not allowed any more', () => {
    // biome-ignore lint/suspicious/noDocumentCookie: the cookie that a provider sets
    document.cookie = '_ga=GA1.1.1; Path=/';
    const { unmount, client } = open('/berlin');
    act(() => client.setQueryData(keys.cart(1), cartOf(1)));
    unmount();
    client.setQueryData(keys.cart(1), cartOf(2));
    expect(named('add_to_cart')).toEqual([]);
    expect(calls().at(-1)?.[1]).toBe('destruct');
    expect(document.cookie).not.toContain('GA1.1.1');
  });
});
