import { afterEach, describe, expect, it } from 'vitest';
import { noteServerClock } from '@/api/server-clock';
import type { Schema } from '@/api/types';
import { makeOrder, makeStatus } from '@/testing/orders';
import { applyStatus, isCourierShown, isLate, laterReport, paymentPollTime } from './order-state';

const at = (minute: number) => `2026-11-21T18:${String(minute).padStart(2, '0')}:00Z`;

afterEach(() => noteServerClock(new Response()));

describe('order state', () => {
  it('takes a newer status and keeps everything else', () => {
    const order = makeOrder({ status: makeStatus({ changed_at: at(1) }) });
    const cooking = makeStatus({ alias: 'cooking', changed_at: at(5) });
    expect(applyStatus(order, cooking)).toEqual({ ...order, status: cooking });
  });

  it('ignores a status that is older than the one on the screen', () => {
    const order = makeOrder({ status: makeStatus({ alias: 'cooking', changed_at: at(5) }) });
    expect(applyStatus(order, makeStatus({ changed_at: at(1) }))).toBe(order);
  });

  it('calls an order late only after its promise and before its end', () => {
    const order = makeOrder({ promised_to: at(30) });
    expect(isLate(order, Date.parse(at(30)))).toBe(false);
    expect(isLate(order, Date.parse(at(31)))).toBe(true);
    const done = { ...order, status: makeStatus({ alias: 'done', final: true }) };
    expect(isLate(done, Date.parse(at(31)))).toBe(false);
  });

  it('calls an order late by the clock of the server where that of the device is wrong', () => {
    const now = Date.now();
    const promised = new Date(now - 60_000).toISOString();
    const order = makeOrder({ promised_to: promised });
    const hourAgo = new Date(now - 3_600_000).toUTCString();
    noteServerClock(new Response(null, { headers: { Date: hourAgo } }));
    expect(isLate(order, now)).toBe(false);
  });

  it('shows the courier of a delivery on its way, where the brand tracks', () => {
    const sent = makeOrder({ status: makeStatus({ alias: 'sent' }), courier_tracking: true });
    expect(isCourierShown(sent)).toBe(true);
    expect(isCourierShown({ ...sent, courier_tracking: false })).toBe(false);
    expect(isCourierShown({ ...sent, status: makeStatus({ alias: 'cooking' }) })).toBe(false);
  });

  it('polls the payment of an order while its state may change by itself', () => {
    const pollTimeOf = (state: Schema<'PaymentState'>, own: Partial<Schema<'OrderStatus'>> = {}) =>
      paymentPollTime(
        makeOrder({
          status: makeStatus(own),
          payment: { state, order_cache_key: 'k', pay_until: at(30) },
        }),
      );
    for (const state of ['waiting', 'pending', 'checking'] as const) {
      expect(pollTimeOf(state)).toBe(5000);
      expect(pollTimeOf(state, { alias: 'canceled', final: true })).toBe(30_000);
    }
    expect(pollTimeOf('refunding')).toBe(30_000);
    expect(pollTimeOf('paid')).toBe(false);
    expect(paymentPollTime(undefined)).toBe(false);
  });

  it('keeps the later of two reports of the courier', () => {
    const where = { latitude: 1, longitude: 2 };
    const early = { at: where, reportedAt: at(1) };
    const late = { at: where, reportedAt: at(2) };
    expect(laterReport(late, early)).toBe(late);
    expect(laterReport(early, late)).toBe(late);
    expect(laterReport(null, undefined)).toBeUndefined();
    expect(laterReport(undefined, early)).toBe(early);
  });
});
