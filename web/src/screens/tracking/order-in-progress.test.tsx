import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Schema } from '@/api/types';
import { readLastOrder, writeLastOrder } from '@/entities/order/last-order';
import { pollTime } from '@/entities/order/queries';
import { makeCart } from '@/testing/fixtures';
import { makeOrder, makeStatus } from '@/testing/orders';
import { renderInCity } from '@/testing/render';
import { answer, refuse, server } from '@/testing/server';
import OrderInProgress from './order-in-progress';

const orderId = 12345678;

/** Answers with an order in each of the states in turn, the last one for good. */
function serveOrder(...states: Partial<Schema<'OrderStatus'>>[]) {
  let calls = 0;
  server.use(
    answer('get', '/order/{id}', () => ({
      order: makeOrder({ status: makeStatus(states[Math.min(calls++, states.length - 1)]) }),
    })),
  );
}

const open = () => {
  server.use(answer('put', '/cart', () => ({ cart: makeCart() })));
  return renderInCity(<OrderInProgress orderId={orderId} />);
};

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  writeLastOrder({ orderId, cityAlias: 'berlin' });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the order in progress', () => {
  it('says how it stands and leads to its page', async () => {
    serveOrder({ description: 'Cooking. We will bring it by 19:40.' });
    open();
    const link = await screen.findByRole('link', { name: 'Cooking. We will bring it by 19:40.' });
    expect(link.getAttribute('href')).toBe('/berlin/order/12345678/tracking');
    expect(screen.getByRole('region', { name: 'Order no. 12345678' }).contains(link)).toBe(true);
    expect(readLastOrder()?.isOver).toBeUndefined();
  });

  it.each([
    { alias: 'done', description: 'Delivered. Enjoy your meal!' },
    { alias: 'canceled', description: 'The order is canceled.' },
  ] as const)('is followed until it is $alias, which it still says', async (last) => {
    serveOrder({}, { ...last, final: true });
    open();
    await screen.findByText(/We have your order/);
    await act(() => vi.advanceTimersByTimeAsync(pollTime));
    await screen.findByRole('link', { name: last.description });
    await waitFor(() => expect(readLastOrder()?.isOver).toBe(true));
  });

  it('is absent, and not asked about again, when it was over before', async () => {
    serveOrder({ alias: 'done', final: true });
    open();
    await waitFor(() => expect(readLastOrder()?.isOver).toBe(true));
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('is absent, and not asked about again, when this browser may not see it', async () => {
    server.use(refuse('get', '/order/{id}', 404, { message: 'not found' }));
    open();
    await waitFor(() => expect(readLastOrder()?.isOver).toBe(true));
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('is asked about again later when it did not load', async () => {
    server.use(refuse('get', '/order/{id}', 500, { message: 'later' }));
    open();
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(readLastOrder()?.isOver).toBeUndefined();
  });

  it('does not end another order', async () => {
    writeLastOrder({ orderId: 2, cityAlias: 'berlin' });
    serveOrder({ alias: 'done', final: true });
    const { client } = open();
    await waitFor(() => expect(client.isFetching()).toBe(0));
    expect(readLastOrder()).toEqual({ orderId: 2, cityAlias: 'berlin' });
  });
});
