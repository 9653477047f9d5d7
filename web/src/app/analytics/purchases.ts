import type { Schema } from '@/api/types';
import { readCookie, readStored, removeStored, setCookie, writeStored } from '@/lib/storage';

type Order = Pick<Schema<'Order'>, 'order_id' | 'is_brief' | 'status' | 'payment' | 'created_at'>;

/** Keeps the numbers of the reported orders, so that none is reported twice. */
const cookieName = 'purchases';

/** How long the cookie is kept, in days. */
const cookieDays = 2;

/** How many numbers the cookie keeps. */
const maxKept = 20;

/** When the checkout was last opened on this device, in milliseconds since 1970. */
const checkoutKey = 'analytics.checkout';

/** The oldest order that is still reported, in milliseconds: a payment may take a while. */
const maxOrderAge = 24 * 3_600_000;

/** How far the clock of the device may be ahead of the server's, in milliseconds. */
const clockError = 5 * 60_000;

const isTime = (value: unknown): value is number => typeof value === 'number';

/** Stores that the checkout was opened on this device at `now`. */
export const noteCheckout = (now = Date.now()) => writeStored(checkoutKey, now);

/** Removes what is kept for purchases on the device. */
export function forgetPurchases(): void {
  removeStored(checkoutKey);
  setCookie(cookieName, '', 0);
}

/**
 * Reports whether to report an order as a purchase now: it was placed on this device a short time ago,
 * and its payment, if it has one, has succeeded. It stores the number, so it returns true once for an
 * order.
 */
export function takePurchase(order: Order, now = Date.now()): boolean {
  if (order.is_brief || order.status.alias === 'canceled') return false;
  if (order.payment && order.payment.state !== 'paid') return false;
  const checkout = readStored(checkoutKey, isTime);
  const created = Date.parse(order.created_at);
  if (checkout === undefined || created < checkout - clockError) return false;
  if (now - created > maxOrderAge) return false;
  const reported = (readCookie(cookieName) ?? '').split('.').filter(Boolean);
  const number = String(order.order_id);
  if (reported.includes(number)) return false;
  setCookie(cookieName, [...reported, number].slice(-maxKept).join('.'), cookieDays);
  return true;
}
