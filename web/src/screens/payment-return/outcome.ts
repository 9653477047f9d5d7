import { onDeviceClock } from '@/api/server-clock';
import type { Schema } from '@/api/types';
import { isWaiting } from '@/entities/payment-state/queries';

/** The outcome of a payment, for a visitor who comes back from it. */
export type Outcome =
  /** The attempt failed, the order still waits. */
  | 'failed'
  /** No attempt was completed, the order still waits. */
  | 'unfinished'
  /** It was not paid in time. */
  | 'late'
  /** It was canceled before its time was over. */
  | 'canceled'
  /** The bank has not answered yet. */
  | 'checking'
  | 'paid'
  /** The order was canceled, and its money is kept. */
  | 'kept'
  /** The money is being refunded, or was. */
  | 'given-back'
  /** No order is stored on this device. */
  | 'unknown';

/** Returns the outcome of a payment; `now` is the device's time in milliseconds since 1970. */
export function outcomeOf(payment: Schema<'OrderPayment'> | undefined, now = Date.now()): Outcome {
  if (!payment) return 'unknown';
  switch (payment.state) {
    case 'paid':
      return payment.status === 'canceled' ? 'kept' : 'paid';
    case 'refunding':
    case 'refunded':
      return 'given-back';
    case 'checking':
      return 'checking';
    case 'waiting':
    case 'pending':
    case 'canceled': {
      const isLate = onDeviceClock(payment.pay_until) <= now;
      if (isWaiting(payment) && !isLate) {
        // While another attempt is pending, the problem is that of an earlier one.
        return payment.state === 'waiting' && payment.problem ? 'failed' : 'unfinished';
      }
      return isLate ? 'late' : 'canceled';
    }
  }
}
