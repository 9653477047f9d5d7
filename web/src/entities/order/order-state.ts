import { onDeviceClock, onServerClock } from '@/api/server-clock';
import type { Schema } from '@/api/types';

type Order = Schema<'Order'>;
type Status = Schema<'OrderStatus'>;

/** Returns the order with a status; unchanged when the status is older than its own. */
export function applyStatus(order: Order, status: Status): Order {
  const isOlder = Date.parse(status.changed_at) < Date.parse(order.status.changed_at);
  return isOlder ? order : { ...order, status };
}

/**
 * Reports whether the promise has passed and the order has not been handed over. `now` is the device's time in
 * milliseconds since 1970.
 */
export const isLate = ({ status, promised_to: promised }: Order, now: number): boolean =>
  !status.final && status.alias !== 'waiting_for_payment' && now > onDeviceClock(promised);

/**
 * Returns how often the state of an order's payment is polled, in milliseconds; false while it does not change
 * by itself.
 */
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

/** Reports whether the courier is shown on the map: a delivery on its way, of a brand that tracks couriers. */
export const isCourierShown = ({ status, courier_tracking, order_type }: Order): boolean =>
  order_type === 'delivery' && status.alias === 'sent' && courier_tracking;

/** Where the courier was last, and when that was reported. */
export interface CourierReport {
  at: Schema<'Coordinates'>;
  /** RFC 3339. */
  reportedAt: string;
  /** Since when the courier has hardly moved; RFC 3339. */
  stillSince?: string;
  /** Minutes to the door at the time of the report, where the operator says them. */
  minutes?: number;
  /** The way to the door as latitude and longitude, where the operator sends it. */
  route?: readonly (readonly number[])[];
}

/** Converts the courier's position of the contract to a report; without a time it counts as reported now. */
export const toCourierReport = (
  at: Schema<'Coordinates'>,
  { reported_at, still_since, minutes, route }: Schema<'CourierWay'>,
): CourierReport => ({
  at: { latitude: at.latitude, longitude: at.longitude },
  reportedAt: reported_at ?? new Date(onServerClock()).toISOString(),
  stillSince: still_since,
  minutes,
  route,
});

/** For how long a courier must have hardly moved, or not been heard of, to be shown as standing. */
const standingTime = 10 * 60_000;

/** For how long the operator's minutes are shown. */
const minutesFreshFor = 5 * 60_000;

export interface CourierFacts {
  /** Whether the courier is shown as moving. */
  isMoving: boolean;
  /** Whole minutes since the report. */
  age: number;
  /** Whole minutes that the courier had stood at the report; absent for one who moves. */
  stood?: number;
  /** Minutes to the door, at least one; absent where they are not known or not fresh. */
  minutes?: number;
}

/**
 * Returns what can be said of a courier at `now`, the device's time in milliseconds since 1970. A courier
 * who was not heard of for `standingTime` is not shown as moving; whether they stand depends on the last
 * report alone.
 */
export function courierFacts(report: CourierReport, now: number): CourierFacts {
  const reportedAt = Date.parse(report.reportedAt);
  const age = Math.max(0, onServerClock(now) - reportedAt);
  const stillSince = report.stillSince ? Date.parse(report.stillSince) : reportedAt;
  const stood = reportedAt - stillSince;
  const stands = stood >= standingTime;
  const left = (report.minutes ?? 0) - Math.floor(age / 60_000);
  return {
    isMoving: !stands && age < standingTime,
    age: Math.floor(age / 60_000),
    stood: stands ? Math.floor(stood / 60_000) : undefined,
    minutes: !stands && age < minutesFreshFor && left >= 1 ? left : undefined,
  };
}

/** Returns the later of two reports, `a` when both are of one time; undefined when there is neither. */
export function laterReport(
  a: CourierReport | null | undefined,
  b: CourierReport | null | undefined,
): CourierReport | undefined {
  if (!a || !b) return a ?? b ?? undefined;
  return Date.parse(b.reportedAt) > Date.parse(a.reportedAt) ? b : a;
}
