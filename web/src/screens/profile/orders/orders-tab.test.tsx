import { focusManager } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Schema } from '@/api/types';
import { makeCart, makeCity, makeLine, makePageData } from '@/testing/fixtures';
import { makeOrder, makeStatus } from '@/testing/orders';
import { renderInCity } from '@/testing/render';
import { answer, refuse, server } from '@/testing/server';
import { makeOrderBrief } from '@/testing/users';
// Loaded before the clock of the first test starts.
import '@/screens/tracking/confirm-cancel-order';
import '@/screens/tracking/confirm-repeat';
import { flashes } from '@/ui/flash/flash-store';
import '@/screens/tracking/order-changes-dialog';
import { OrdersTab } from './orders-tab';

const done = makeStatus({
  alias: 'done',
  name: 'Delivered',
  final: true,
  can_cancel: false,
  can_repeat: true,
});

const page = (
  orders: Schema<'OrderBrief'>[],
  own: Partial<Schema<'OrderPage'>> = {},
): Schema<'OrderPage'> => ({ orders, page: 1, pages: 1, total: orders.length, ...own });

const kazan = makeCity({ id: 2, alias: 'kazan', name: 'Kazan', seo_name: 'in Kazan' });

/** Answers that an order is repeated into a cart in Kazan, with changes. */
const answerRepeat = (changes: Schema<'OrderChange'>[]) =>
  answer('post', '/order/repeat', () => ({
    city_alias: kazan.alias,
    order_type: 'delivery' as const,
    cart: makeCart([makeLine()], { city_id: kazan.id }),
    product_groups: [],
    popular_products: [],
    changes,
  }));

function openOrders(path = '/berlin/profile?tab=orders') {
  return renderInCity(<OrdersTab />, { data: makePageData({ path }) });
}

beforeEach(() => {
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-21T18:20:00Z'));
});

describe('the orders', () => {
  it('are of yesterday once midnight has passed under the open list', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    server.use(answer('get', '/user/orders', () => page([makeOrderBrief()])));
    openOrders();
    await screen.findByRole('region', { name: /^Today, 21\sNovember$/ });
    vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-21T23:00:00Z'));
    act(() => void vi.advanceTimersByTime(15_000));
    screen.getByRole('region', { name: /^Yesterday, 21\sNovember$/ });
  });

  it('are listed by days: number, state, place, sum', async () => {
    server.use(
      answer('get', '/user/orders', () =>
        page([
          makeOrderBrief(),
          makeOrderBrief({ order_id: 2, date_string: '2026-11-20', status: done }),
          makeOrderBrief({ order_id: 3, date_string: '2025-12-31', status: done, currency: 'TRY' }),
        ]),
      ),
    );
    openOrders();
    const today = within(await screen.findByRole('region', { name: /^Today, 21\sNovember$/ }));
    expect(today.getByRole('link', { name: 'Order no. 12345678' }).getAttribute('href')).toBe(
      '/berlin/order/12345678/tracking',
    );
    today.getByText('Accepted');
    today.getByText('Delivery: Torstraße 12');
    today.getByText('Placed at 19:00');
    today.getByText('€25');
    today.getByRole('link', { name: 'Where is it now' });
    screen.getByRole('region', { name: /^Yesterday, 20\sNovember$/ });
    const earlier = within(screen.getByRole('region', { name: /^31\sDecember 2025$/ }));
    earlier.getByText('₺25');
    expect(earlier.queryByRole('link', { name: 'Where is it now' })).toBeNull();
  });

  it('that wait for their payment lead to it, and say what became of the money', async () => {
    const payment = { order_cache_key: 'key-1', pay_until: '2026-11-21T18:42:00Z' };
    const waiting = makeStatus({ alias: 'waiting_for_payment', name: 'Waiting for payment' });
    const canceled = makeStatus({ alias: 'canceled', name: 'Canceled', final: true });
    const message = 'The money is on its way back.';
    server.use(
      answer('get', '/user/orders', () =>
        page([
          makeOrderBrief({ status: waiting, payment: { ...payment, state: 'waiting' } }),
          makeOrderBrief({
            order_id: 2,
            status: canceled,
            payment: { ...payment, state: 'refunding', message },
          }),
        ]),
      ),
    );
    openOrders();
    await screen.findByText('Waiting for payment until 19:42');
    screen.getByText(message);
    const links = screen.getAllByRole('link', { name: 'Pay for the order' });
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['/berlin/order/payment/key-1']);
    expect(screen.queryByRole('link', { name: 'Where is it now' })).toBeNull();
  });

  it('of another city say which', async () => {
    const far = makeOrderBrief({ city_id: 2, city_alias: 'kazan', city_name: 'Kazan' });
    server.use(answer('get', '/user/orders', () => page([far])));
    openOrders();
    await screen.findByText('Delivery: Kazan, Torstraße 12');
    expect(screen.queryByText(/Placed at/)).toBeNull();
  });

  it('fetch what is in them when they are opened for the first time', async () => {
    let calls = 0;
    server.use(
      answer('get', '/user/orders', () => page([makeOrderBrief()])),
      answer('get', '/order/{id}', () => {
        calls += 1;
        return { order: makeOrder() };
      }),
    );
    const { user } = openOrders();
    const summary = await screen.findByText('2 items');
    expect(calls).toBe(0);
    await user.click(summary);
    await screen.findByText('Philadelphia');
    await user.click(summary);
    await user.click(summary);
    expect(calls).toBe(1);
  });

  it('lead to older ones and back by the address', async () => {
    const asked: (string | null)[] = [];
    server.use(
      answer('get', '/user/orders', ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('page'));
        return page([makeOrderBrief()], { pages: 3, total: 21 });
      }),
    );
    openOrders('/berlin/profile?tab=orders&page=2');
    const pages = within(await screen.findByRole('navigation', { name: 'Pages of the list' }));
    pages.getByText('2 of 3');
    const hrefOf = (name: string) => pages.getByRole('link', { name }).getAttribute('href');
    expect(hrefOf('Previous')).toBe('/berlin/profile?tab=orders&page=1');
    expect(hrefOf('Next')).toBe('/berlin/profile?tab=orders&page=3');
    expect(asked).toEqual(['2']);
  });

  it('past the last page lead back to the latest', async () => {
    server.use(answer('get', '/user/orders', () => page([], { page: 9, pages: 1, total: 3 })));
    openOrders('/berlin/profile?tab=orders&page=9');
    expect((await screen.findByRole('link', { name: 'To the latest orders' })).title).toBe('');
  });

  it('that there are none lead to the menu', async () => {
    server.use(answer('get', '/user/orders', () => page([], { pages: 0 })));
    openOrders();
    await screen.findByText('You have no orders yet');
    expect(screen.getByRole('link', { name: 'To the menu' }).getAttribute('href')).toBe('/berlin');
  });

  it('can be asked for again when they did not load', async () => {
    server.use(refuse('get', '/user/orders', 500, { message: 'broken' }));
    const { user } = openOrders();
    await screen.findByText('Your orders did not load. Nothing has happened to them.');
    server.use(answer('get', '/user/orders', () => page([makeOrderBrief()])));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('Accepted');
  });

  it('are read again every two minutes, but not while the page is hidden', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
      focusManager.setFocused(undefined);
    });
    let calls = 0;
    server.use(
      answer('get', '/user/orders', () => {
        calls += 1;
        return page([makeOrderBrief({ status: makeStatus({ name: `Seen ${calls}` }) })]);
      }),
    );
    openOrders();
    await screen.findByText('Seen 1');
    vi.advanceTimersByTime(119_000);
    expect(calls).toBe(1);
    vi.advanceTimersByTime(1000);
    await screen.findByText('Seen 2');
    focusManager.setFocused(false);
    vi.advanceTimersByTime(600_000);
    expect(calls).toBe(2);
    focusManager.setFocused(true);
    await screen.findByText('Seen 3');
  });

  it('are read again with their card while a correction may still change the price', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { cart } = makeOrder();
    let total = 777;
    server.use(
      answer('get', '/user/orders', () => page([makeOrderBrief()])),
      answer('get', '/order/{id}', () => ({
        order: makeOrder({ cart: { ...cart, prices: { ...cart.prices, total } } }),
      })),
    );
    const { user } = openOrders();
    await user.click(await screen.findByText('2 items'));
    await screen.findByText(/777/);
    total = 888;
    vi.advanceTimersByTime(120_000);
    await screen.findByText(/888/);
  });

  it('are canceled from the card, which then says so', async () => {
    const canceled = makeStatus({
      alias: 'canceled',
      name: 'Canceled',
      final: true,
      can_cancel: false,
    });
    let status = makeStatus();
    server.use(
      answer('get', '/user/orders', () => page([makeOrderBrief({ status })])),
      answer('post', '/order/cancel', () => {
        status = canceled;
        return { order: makeOrder({ status }) };
      }),
    );
    const { user } = openOrders();
    await user.click(await screen.findByRole('button', { name: 'Cancel the order' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Cancel the order' }));
    await screen.findByText('Canceled');
    expect(screen.queryByRole('button', { name: 'Cancel the order' })).toBeNull();
  });

  it('are repeated from the card in the city that they were placed in', async () => {
    server.use(
      answer('get', '/user/orders', () => page([makeOrderBrief({ status: done })])),
      answerRepeat([{ kind: 'gone', name: 'Unagi' }]),
    );
    const { user, places } = openOrders();
    await user.click(await screen.findByRole('button', { name: 'Order again' }));
    await screen.findByText('Unagi');
    await waitFor(() => expect(places).toContain('/kazan/cart'));
  });

  it('are repeated once, and their cart opens, though the first answer was lost', async () => {
    const sentKeys: (string | null)[] = [];
    server.use(
      answer('get', '/user/orders', () => page([makeOrderBrief({ status: done })])),
      http.post(
        '*/api/order/repeat',
        ({ request }) => {
          sentKeys.push(request.headers.get('Idempotency-Key'));
          server.use(
            answer('post', '/order/repeat', ({ request: again }) => {
              sentKeys.push(again.headers.get('Idempotency-Key'));
              const menu = { product_groups: [], popular_products: [], changes: [] };
              const cart = makeCart([makeLine()]);
              return { city_alias: 'berlin', order_type: 'delivery' as const, cart, ...menu };
            }),
          );
          return HttpResponse.error();
        },
        { once: true },
      ),
    );
    const { user, places } = openOrders();
    await user.click(await screen.findByRole('button', { name: 'Order again' }));
    await waitFor(() => expect(places).toContain('/berlin/cart'), { timeout: 3000 });
    expect(sentKeys).toEqual([sentKeys[0], sentKeys[0]]);
  });

  it('are repeated into an empty cart of another city, which is named then', async () => {
    server.use(
      answer('get', '/user/orders', () =>
        page([makeOrderBrief({ status: done, city_id: 2, city_alias: 'kazan' })]),
      ),
      answer('get', '/cities/{alias}', () => ({ city: kazan })),
      answerRepeat([]),
    );
    const { user, places } = openOrders();
    await user.click(await screen.findByRole('button', { name: 'Order again' }));
    await waitFor(() => expect(places).toContain('/kazan/cart'));
    await waitFor(() =>
      expect(flashes.get().map(({ text }) => text)).toEqual(['The order is in your cart in Kazan']),
    );
  });

  it('that are repeated into another city open its cart also when its name did not load', async () => {
    const order = makeOrderBrief({ status: done, city_id: 2, city_alias: 'kazan' });
    server.use(
      answer('get', '/user/orders', () => page([order])),
      http.get('*/api/cities/kazan', () => HttpResponse.error()),
      answerRepeat([]),
    );
    const { user, places } = openOrders();
    await user.click(await screen.findByRole('button', { name: 'Order again' }));
    await waitFor(() => expect(places).toContain('/kazan/cart'));
  });

  it('are repeated into a filled cart of another city after a question that names the city', async () => {
    const order = makeOrderBrief({ status: done, city_id: 2, city_alias: 'kazan' });
    const cart = makeCart([makeLine()], { city_id: 2 });
    server.use(
      answer('get', '/user/orders', () => page([order])),
      answer('get', '/cities/{alias}', () => ({ city: kazan })),
      refuse('post', '/order/repeat', 409, { message: 'Filled', cart }),
    );
    const { user } = openOrders();
    await user.click(await screen.findByRole('button', { name: 'Order again' }));
    const dialog = await screen.findByRole('dialog', {
      name: 'Your cart in Kazan has dishes already',
    });
    within(dialog).getByText(/The menu and the cart in Kazan will open/);
  });
});
