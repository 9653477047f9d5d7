import { api } from '@/api/client';
import { attempt, type Result } from '@/api/result';
import { backoff, repeatUntilKnown } from '@/api/retry';
import type { Schema } from '@/api/types';

export type PayBody = Schema<'OrderPay'>;

interface Sending {
  /** Called once, when a lost answer leaves unknown whether the attempt was begun. */
  onUncertain?: () => void;
  /** Reports whether the answer is of no use any more. */
  isAbandoned?: () => boolean;
}

/**
 * Begins a payment attempt; resolves once its outcome is known. When an answer is lost, the same
 * request is sent again: its key makes one attempt of all the copies.
 */
export function sendPay(
  key: string,
  body: PayBody,
  sending: Sending,
): Promise<Result<Schema<'PaymentNext'>>> {
  const params = { header: { 'Idempotency-Key': key } };
  const send = () => attempt(api.POST('/order/pay', { params, body }));
  return repeatUntilKnown(send, { policy: backoff(10_000), ...sending });
}
