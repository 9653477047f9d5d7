import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { keys } from '@/api/keys';
import { noteServerClock } from '@/api/server-clock';
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

/** Renders the analytics of an address, and returns functions that put a cart or an order into the cache. */
function openAnalytics(
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

/** The calls to the counter of Metrika, and the page views, goals and e-commerce in them. */
const metrikaCalls = () => providers.ym?.a ?? [];
const viewedAddresses = () =>
  metrikaCalls().flatMap(([, name, address]) => (name === 'hit' ? [address] : []));
const reachedGoals = () =>
  metrikaCalls().flatMap(([, name, goal]) => (name === 'reachGoal' ? [goal] : []));
const ecommerceEvents = () => (providers.metrikaEvents ?? []).map(({ ecommerce }) => ecommerce);
const ga4Calls = () => [...(providers.dataLayer ?? [])].map((args) => Array.from(args));
const ga4Events = (name: string) =>
  ga4Calls().filter(([kind, event]) => kind === 'event' && event === name);

const cartOf = (count: number) => makeCart([makeLine({ count })]);

/** Returns the portions of the first item in each event of the name. */
const portionsIn = (name: string) =>
  ga4Events(name).map(
    ([, , params]) => (params as { items: { quantity: number }[] }).items[0]?.quantity,
  );

describe('analytics', () => {
  it('loads the scripts of the accounts that the brand has, and no other', () => {
    openAnalytics('/berlin', { ga4_id: 'G-1' });
    const sources = [...document.head.querySelectorAll('script')].map(({ src }) => src);
    expect(sources).toEqual(['https://www.googletagmanager.com/gtag/js?id=G-1']);
    expect(providers.ym).toBeUndefined();
  });

  it('reports each page by its path, without what names an order or a visitor', () => {
    const { navigate } = openAnalytics('/berlin');
    act(() => navigate('/berlin/order/12345678/tracking?t=secret'));
    act(() => navigate('/berlin/order/payment/1a2b'));
    expect(viewedAddresses().map((address) => new URL(String(address)).pathname)).toEqual([
      '/berlin',
      '/berlin/order/number/tracking',
      '/berlin/order/payment/key',
    ]);
    expect(JSON.stringify([metrikaCalls(), ga4Calls()])).not.toMatch(/12345678|secret|1a2b/);
  });

  it('reports what the server has put into the cart and taken out of it', () => {
    const { setCart } = openAnalytics('/berlin');
    setCart(cartOf(1));
    setCart(cartOf(3));
    setCart(cartOf(2));
    expect(portionsIn('add_to_cart')).toEqual([2]);
    expect(portionsIn('remove_from_cart')).toEqual([1]);
    expect(ecommerceEvents().map((event) => Object.keys(event)[1])).toEqual(['add', 'remove']);
  });

  it('does not take an ordered cart for one that was emptied', () => {
    const { setCart } = openAnalytics('/berlin/cart');
    setCart(cartOf(2));
    writeLastOrder({ orderId: 12345678, cityAlias: 'berlin' });
    setCart(makeCart());
    expect(ga4Events('remove_from_cart')).toEqual([]);
  });

  it('reports the checkout once for each time it is opened', () => {
    const { setCart, navigate } = openAnalytics('/berlin/cart');
    setCart(cartOf(1));
    setCart(cartOf(2));
    expect(ga4Events('begin_checkout')).toHaveLength(1);
    act(() => navigate('/berlin'));
    act(() => navigate('/berlin/cart'));
    expect(ga4Events('begin_checkout')).toHaveLength(2);
  });

  it('reports an order of this device once, with two days of memory', () => {
    const cookies = vi.spyOn(document, 'cookie', 'set');
    const shop = openAnalytics('/berlin/cart');
    shop.setCart(cartOf(2));
    vi.advanceTimersByTime(60_000);
    const order = makeOrder({ created_at: new Date().toISOString(), payment: undefined });
    shop.setOrder(order);
    shop.setOrder({ ...order, status: { ...order.status } });
    expect(ga4Events('purchase')).toHaveLength(1);
    expect(ga4Events('purchase')[0]?.[2]).toMatchObject({
      transaction_id: String(order.order_id),
      value: order.cart.prices.total,
    });
    expect(cookies.mock.calls.join(' ')).toContain(
      `purchases=${order.order_id}; Path=/; Max-Age=172800`,
    );
  });

  it('reports no order that is not paid, is canceled or was placed elsewhere', () => {
    const shop = openAnalytics('/berlin');
    const created = new Date().toISOString();
    shop.setOrder(makeOrder({ order_id: 1, created_at: created, payment: undefined })); // no checkout here
    act(() => shop.navigate('/berlin/cart'));
    shop.setCart(cartOf(1));
    const status = { ...makeOrder().status, alias: 'canceled' as const };
    shop.setOrder(makeOrder({ order_id: 2, created_at: created, payment: undefined, status }));
    const payment = { state: 'checking' as const, order_cache_key: 'k', pay_until: created };
    shop.setOrder(makeOrder({ order_id: 3, created_at: created, payment }));
    expect(ga4Events('purchase')).toEqual([]);
  });

  it('reports an order of a device whose clock is an hour ahead', () => {
    onTestFinished(() => noteServerClock(new Response()));
    const hourAgo = new Date(Date.now() - 3_600_000);
    noteServerClock(new Response(null, { headers: { Date: hourAgo.toUTCString() } }));
    const shop = openAnalytics('/berlin/cart');
    shop.setCart(cartOf(1));
    shop.setOrder(makeOrder({ created_at: hourAgo.toISOString(), payment: undefined }));
    expect(ga4Events('purchase')).toHaveLength(1);
  });

  it('asks for the order of a payment that has succeeded, and reports it', async () => {
    vi.useRealTimers();
    const shop = openAnalytics('/berlin/cart');
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
    await vi.waitFor(() => expect(ga4Events('purchase')).toHaveLength(1));
  });

  it('reports one second after the last letter that a promocode was typed, not which', () => {
    openAnalytics('/berlin/cart');
    const field = document.createElement('input');
    field.name = 'promocode';
    document.body.append(field);
    for (const text of ['S', 'SE', 'SECRET10']) {
      field.value = text;
      field.dispatchEvent(new Event('input', { bubbles: true }));
      vi.advanceTimersByTime(500);
    }
    expect(reachedGoals()).toEqual([]);
    vi.advanceTimersByTime(500);
    expect(reachedGoals()).toEqual(['promocode']);
    expect(ga4Events('promocode')).toHaveLength(1);
    expect(JSON.stringify([metrikaCalls(), ga4Calls()])).not.toContain('SE');
    field.remove();
  });

  it('reports one second after the last letter that a comment was typed, not its text', () => {
    openAnalytics('/berlin/cart');
    const field = document.createElement('textarea');
    field.name = 'comment';
    document.body.append(field);
    for (const text of ['Ring', 'Ring twice']) {
      field.value = text;
      field.dispatchEvent(new Event('input', { bubbles: true }));
      vi.advanceTimersByTime(999);
    }
    expect(reachedGoals()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(reachedGoals()).toEqual(['comment']);
    expect(ga4Events('comment')).toHaveLength(1);
    expect(JSON.stringify([metrikaCalls(), ga4Calls()])).not.toContain('Ring');
    field.remove();
  });

  it('stops for good once it is not allowed any more', () => {
    // biome-ignore lint/suspicious/noDocumentCookie: the cookie that a provider sets
    document.cookie = '_ga=GA1.1.1; Path=/';
    const { unmount, client } = openAnalytics('/berlin');
    act(() => client.setQueryData(keys.cart(1), cartOf(1)));
    unmount();
    client.setQueryData(keys.cart(1), cartOf(2));
    expect(ga4Events('add_to_cart')).toEqual([]);
    expect(metrikaCalls().at(-1)?.[1]).toBe('destruct');
    expect(document.cookie).not.toContain('GA1.1.1');
  });
});
