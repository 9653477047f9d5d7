import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { keys } from '@/api/keys';
import type { Schema } from '@/api/types';
import type { PaymentAnswer } from '@/entities/payment-state/queries';
import { makePayment } from '@/testing/payments';
import { paymentQuery } from './queries';

/** Returns how many milliseconds the page waits before it polls again in this state; false when it does not poll. */
function waitAfter(
  state: Schema<'OrderPayment'>['state'],
  options?: Parameters<typeof paymentQuery>[1],
): unknown {
  const client = new QueryClient();
  const asked: PaymentAnswer = { payment: makePayment({ state }), clockAhead: 0 };
  client.setQueryData(keys.orderPayment('key-1'), asked);
  const query = client
    .getQueryCache()
    .find<PaymentAnswer>({ queryKey: keys.orderPayment('key-1') });
  const { refetchInterval } = paymentQuery('key-1', options);
  if (!query || typeof refetchInterval !== 'function') throw new Error('nothing decides it');
  // biome-ignore lint/suspicious/noExplicitAny: the cache does not keep the key's type
  return refetchInterval(query as any);
}

describe('the payment is polled', () => {
  it.each(['waiting', 'pending', 'checking'] as const)(
    'every five seconds while it is %s',
    (state) => {
      expect(waitAfter(state)).toBe(5000);
    },
  );

  it('every one and a half seconds right after an act of the customer', () => {
    expect(waitAfter('pending', { isQuick: true })).toBe(1500);
  });

  it('until the money is back', () => {
    expect(waitAfter('refunding')).toBe(5000);
    expect(waitAfter('refunded')).toBe(false);
  });

  it.each(['paid', 'canceled'] as const)('no longer once it is %s', (state) => {
    expect(waitAfter(state)).toBe(false);
  });
});
