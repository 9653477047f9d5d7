import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeOrder, makeStatus } from '@/testing/orders';
import { answer, server } from '@/testing/server';
import { open, path, Stream } from './tracking-page.fixture';

beforeEach(() => {
  Stream.open = [];
  vi.stubGlobal('EventSource', Stream);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the link of an order', () => {
  it('opens an order by its link and takes the secret out of the address', async () => {
    const sent: unknown[] = [];
    server.use(
      answer('post', '/order/status', async ({ request }) => {
        sent.push(await request.json());
        return { order_id: 12345678, city_alias: 'berlin', status: makeStatus() };
      }),
    );
    const { places } = open(makeOrder(), `${path}?t=secret`);
    await screen.findByText('Order no. 12345678');
    expect(sent).toEqual([{ order_id: 12345678, link: 'secret' }]);
    expect(places.at(-1)).toBe(path);
  });

  it('keeps the secret of a link whose answer was lost, and opens the order by it on a press', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 200 });
    server.use(http.post('*/api/order/status', () => HttpResponse.error()));
    const { user, places } = open(null, `${path}?t=secret`);
    const again = await screen.findByRole('button', { name: 'Try again' }, { timeout: 5000 });
    expect(screen.queryByText(/This browser does not know order/)).toBeNull();
    expect(places).toEqual([`${path}?t=secret`]);
    server.use(
      answer('get', '/order/{id}', () => ({ order: makeOrder() })),
      answer('post', '/order/status', () => ({
        order_id: 12345678,
        city_alias: 'berlin',
        status: makeStatus(),
      })),
    );
    await user.click(again);
    await screen.findByText('Order no. 12345678');
    expect(places.at(-1)).toBe(path);
  });
});
