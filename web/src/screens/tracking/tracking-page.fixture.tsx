import { act } from '@testing-library/react';
import { Route } from 'wouter';
import type { Schema } from '@/api/types';
import { makeCity, makePageData, makeSite } from '@/testing/fixtures';
import { makeOrder } from '@/testing/orders';
import { renderInCity } from '@/testing/render';
import { answer, refuse, server } from '@/testing/server';
import { TrackingPage } from './tracking-page';

/** A fake EventSource, which a test makes receive events by `push`. */
export class Stream extends EventTarget {
  static readonly CLOSED = 2;
  static open: Stream[] = [];
  readonly readyState = 1;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;

  constructor(readonly url: string) {
    super();
    Stream.open.push(this);
    queueMicrotask(() => this.onopen?.());
  }

  close() {
    Stream.open = Stream.open.filter((other) => other !== this);
  }

  static push(name: string, data: unknown) {
    const event = new MessageEvent(name, { data: JSON.stringify(data) });
    act(() => {
      for (const stream of Stream.open) stream.dispatchEvent(event);
    });
  }
}

/** When the tests look at the page, in milliseconds since 1970. */
export const now = Date.parse('2026-11-21T18:20:00Z');
export const path = '/berlin/order/12345678/tracking';

/** Renders the page of an order; one that the visitor may not see when it is null. */
export function open(
  order: Schema<'Order'> | null = makeOrder(),
  at = path,
  site: Partial<Schema<'Site'>> = {},
  city: Partial<Schema<'City'>> = {},
) {
  server.use(
    order
      ? answer('get', '/order/{id}', () => ({ order }))
      : refuse('get', '/order/{id}', 404, { message: 'not found' }),
  );
  return renderInCity(
    <Route path="/:city/order/:orderId/tracking">
      <TrackingPage />
    </Route>,
    { data: makePageData({ path: at, site: makeSite(site), city: makeCity(city) }) },
  );
}

/** Pushes the status of a changed order, which the server answers from then on. */
export function pushChange(order: Schema<'Order'>) {
  server.use(answer('get', '/order/{id}', () => ({ order })));
  Stream.push('status', order.status);
}
