import { api } from '@/api/client';
import { attempt, type Result } from '@/api/result';
import { backoff, repeatUntilKnown } from '@/api/retry';
import type { Schema } from '@/api/types';

export type PayBody = Schema<'OrderPay'>;

interface SendOptions {
  /** Called once, when a lost answer leaves unknown whether the attempt was begun. */
  onUncertain?: () => void;
  /** Reports whether the answer is no longer needed. */
  isAbandoned?: () => boolean;
}

/**
 * Begins a payment attempt; resolves once its outcome is known. When an answer is lost, the function sends the
 * same request again; the server makes one attempt of all requests with the same key.
 */
export function sendPay(
  key: string,
  body: PayBody,
  sending: SendOptions,
): Promise<Result<Schema<'PaymentNext'>>> {
  const params = { header: { 'Idempotency-Key': key } };
  const send = () => attempt(api.POST('/order/pay', { params, body }));
  return repeatUntilKnown(send, { policy: backoff(10_000), ...sending });
}
