import type { Schema } from '@/api/types';

type Order = Schema<'Order'>;
type Status = Schema<'OrderStatus'>;

/** Returns the order with a newer status; an older status, which arrived late, changes nothing. */
export function applyStatus(order: Order, status: Status): Order {
  const isOlder = Date.parse(status.changed_at) < Date.parse(order.status.changed_at);
  return isOlder ? order : { ...order, status };
}

/**
 * Reports whether the promise has passed and the order has not been handed over. `now` in
 * milliseconds since 1970.
 */
export const isLate = ({ status, promised_to: promised }: Order, now: number): boolean =>
  !status.final && status.alias !== 'waiting_for_payment' && now > Date.parse(promised);

/** Returns how often the state of an order's payment is polled, in milliseconds; false while it does not change by itself. */
export function paymentPollTime(order: Order | undefined): number | false {
  switch (order?.payment?.state) {
    case 'waiting':
    case 'pending':
    case 'checking':
      return order.status.final ? 30_000 : 5000;
    case 'refunding':
      return 30_000;
    default:
      return false;
  }
}

/** Reports whether the courier can be seen on the map now. */
export const isCourierShown = ({ status, courier_tracking, order_type }: Order): boolean =>
  order_type === 'delivery' && status.alias === 'sent' && courier_tracking;

/** Where the courier was last, and when that was reported. */
export interface CourierReport {
  at: Schema<'Coordinates'>;
  /** RFC 3339. */
  reportedAt: string;
}

/** Returns the later of two reports. */
export function laterReport(
  a: CourierReport | null | undefined,
  b: CourierReport | null | undefined,
): CourierReport | undefined {
  if (!a || !b) return a ?? b ?? undefined;
  return Date.parse(b.reportedAt) > Date.parse(a.reportedAt) ? b : a;
}
