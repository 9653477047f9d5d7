import { onDeviceClock } from '@/api/server-clock';
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

/** How far the clock of the device may have been ahead of the server's without being noticed, in milliseconds. */
const clockError = 5 * 60_000;

/** Reports whether a stored value is a time. */
const isTime = (value: unknown): value is number => typeof value === 'number';

/** Stores that the checkout was opened on this device at `now`. */
export const noteCheckout = (now = Date.now()) => writeStored(checkoutKey, now);

/** Removes the reported numbers and the time of the checkout from the device. */
export function forgetPurchases(): void {
  removeStored(checkoutKey);
  setCookie(cookieName, '', 0);
}

/**
 * Returns true when an order is to be reported as a purchase: it was placed on this device within a day, it is
 * not canceled, and its online payment, if it has one, has succeeded. It stores the number of the order, so it
 * returns true once for each order.
 */
export function claimPurchase(order: Order, now = Date.now()): boolean {
  if (order.is_brief || order.status.alias === 'canceled') return false;
  if (order.payment && order.payment.state !== 'paid') return false;
  const checkout = readStored(checkoutKey, isTime);
  const created = onDeviceClock(order.created_at);
  if (checkout === undefined || created < checkout - clockError) return false;
  if (now - created > maxOrderAge) return false;
  const reported = (readCookie(cookieName) ?? '').split('.').filter(Boolean);
  const number = String(order.order_id);
  if (reported.includes(number)) return false;
  setCookie(cookieName, [...reported, number].slice(-maxKept).join('.'), cookieDays);
  return true;
}
