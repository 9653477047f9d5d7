import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import type { Schema } from '@/api/types';
import { answer, refuse, server } from '@/testing/server';
import { placeOrder } from './send-order';

const order: Schema<'OrderCreate'> = {
  city_id: 1,
  order_type: 'takeaway',
  order_cache_key: 'key-1',
  phone: '491234567890',
  username: 'Anna',
  payment_type: 'cash',
  cart: { prices: { total: 12.5 } },
};

const placed = {
  order_id: 12345678,
  payment_type: 'cash',
  status: 'accepted',
  link: 'secret',
} as const;
const wait = () => Promise.resolve();

/** Answers the first calls with `first` and all later calls with a placed order; returns the list of sent bodies. */
function answerAfter(first: (() => Response)[]) {
  const sent: unknown[] = [];
  server.use(
    http.post('*/api/order/create', async ({ request }) => {
      sent.push(await request.json());
      return first.shift()?.() ?? HttpResponse.json(placed);
    }),
  );
  return sent;
}

describe('placeOrder', () => {
  it('sends the same order with the same key again when the answer is lost', async () => {
    const sent = answerAfter([
      () => HttpResponse.error(),
      () => new HttpResponse('{}', { status: 502 }),
    ]);
    const onUncertain = vi.fn();
    expect(await placeOrder(order, { onUncertain, wait })).toEqual({ kind: 'ok', data: placed });
    expect(sent).toEqual([order, order, order]);
    expect(onUncertain).toHaveBeenCalledOnce();
  });

  it('asks again after an unexpected fault and in the end returns it', async () => {
    const fault = () => HttpResponse.json({ message: '', reference: 'r1' }, { status: 500 });
    const sent = answerAfter([fault, fault, fault]);
    expect(await placeOrder(order, { wait })).toMatchObject({ kind: 'server', reference: 'r1' });
    expect(sent).toHaveLength(3);
  });

  it('takes a refusal as final', async () => {
    server.use(refuse('post', '/order/create', 422, { message: 'no', errors: { phone: ['bad'] } }));
    const onUncertain = vi.fn();
    expect(await placeOrder(order, { onUncertain, wait })).toMatchObject({ kind: 'invalid' });
    expect(onUncertain).not.toHaveBeenCalled();
  });

  it('waits out a limit once the outcome is unknown', async () => {
    const limit = () =>
      HttpResponse.json({ message: '' }, { status: 429, headers: { 'Retry-After': '10' } });
    answerAfter([() => HttpResponse.error(), limit]);
    const waits: number[] = [];
    const outcome = await placeOrder(order, {
      wait: async (milliseconds) => void waits.push(milliseconds),
    });
    expect(outcome.kind).toBe('ok');
    expect(waits).toEqual([1000, 10_000]);
  });

  it('reports a limit on orders that a repeated request has reached', async () => {
    const limit = () =>
      HttpResponse.json({ message: 'Call us' }, { status: 429, headers: { 'Retry-After': '900' } });
    answerAfter([() => HttpResponse.error(), limit]);
    expect(await placeOrder(order, { wait })).toMatchObject({
      kind: 'tooMany',
      message: 'Call us',
    });
  });

  it('reports a limit at once when nothing was lost', async () => {
    server.use(answer('post', '/order/create', () => placed));
    server.use(refuse('post', '/order/create', 429, { message: 'slow down' }));
    expect(await placeOrder(order, { wait })).toMatchObject({ kind: 'tooMany' });
  });
});
