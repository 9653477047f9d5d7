import { api } from '@/api/client';
import { attempt, type Result } from '@/api/result';
import { backoff, repeatUntilKnown } from '@/api/retry';
import type { Schema } from '@/api/types';
import { readInTab, removeInTab, writeInTab } from '@/lib/storage';

type Outcome = Result<Schema<'OrderCreated'>>;

interface SendOptions {
  /** Called once, when a lost answer leaves unknown whether the order was placed. */
  onUncertain?: () => void;
  /** Waits between two attempts. */
  wait?: (milliseconds: number) => Promise<void>;
}

/**
 * Places an order; resolves once it is known whether it was placed. When an answer is lost, the function sends
 * the same request again; the server makes one order of all requests with the same key.
 */
export function placeOrder(
  order: Schema<'OrderCreate'>,
  sending: SendOptions = {},
): Promise<Outcome> {
  const send = () => attempt(api.POST('/order/create', { body: order }));
  return repeatUntilKnown(send, { policy: backoff(15_000), ...sending });
}

/** Returns the key under which the unfinished order of a city is stored. */
const pendingKey = (cityId: number) => `order.pending.${cityId}`;

/** Returns the order whose outcome is unknown: after a reload it has to be sent again. */
export const readPendingOrder = (cityId: number): Schema<'OrderCreate'> | undefined =>
  readInTab(pendingKey(cityId), isOrder);

/** Stores the order that is being sent; undefined removes it, once its outcome is known. */
export function writePendingOrder(cityId: number, order: Schema<'OrderCreate'> | undefined): void {
  if (order) writeInTab(pendingKey(cityId), order);
  else removeInTab(pendingKey(cityId));
}

/** Reports whether a stored value looks like an order to send. */
const isOrder = (value: unknown): value is Schema<'OrderCreate'> =>
  typeof value === 'object' && value !== null && 'order_cache_key' in value && 'cart' in value;
