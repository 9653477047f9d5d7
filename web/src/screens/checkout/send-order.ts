import { api } from '@/api/client';
import { attempt, type Result } from '@/api/result';
import type { Schema } from '@/api/types';
import { forgetInTab, recallInTab, rememberInTab } from '@/lib/storage';

type Outcome = Result<Schema<'OrderCreated'>>;

/** How many unexpected faults of the server in a row are taken for its last word. */
const faultsTaken = 3;

interface Sending {
  /** Called once when it is not known any more whether the order was placed. */
  onUncertain?: () => void;
  /** Waits between two tries. `milliseconds` is the longest wait; it may end sooner. */
  wait?: (milliseconds: number) => Promise<void>;
}

/**
 * Places an order and does not answer before it is known whether it was placed. When an answer is
 * lost, the very same request goes out again: its key makes one order of all the copies.
 */
export async function placeOrder(
  order: Schema<'OrderCreate'>,
  { onUncertain, wait = untilOnline }: Sending = {},
): Promise<Outcome> {
  let isUncertain = false;
  let faults = 0;
  for (let tries = 0; ; tries += 1) {
    const outcome = await attempt(api.POST('/order/create', { body: order }));
    if (outcome.kind === 'server') faults += 1;
    const pause = pauseAfter(outcome, tries, isUncertain);
    if (pause === undefined || faults === faultsTaken) return outcome;
    if (!isUncertain) onUncertain?.();
    isUncertain = true;
    await wait(pause);
  }
}

/** How long to wait before asking again, in milliseconds; undefined when the answer is final. */
function pauseAfter(outcome: Outcome, tries: number, isUncertain: boolean): number | undefined {
  const patience = Math.min(15_000, 1000 * 2 ** tries);
  switch (outcome.kind) {
    case 'offline':
    case 'unavailable':
    case 'server':
      return patience;
    case 'tooMany':
      // Before anything was lost this is a plain refusal.
      return isUncertain ? Math.max(patience, outcome.retryAfter * 1000) : undefined;
    default:
      return undefined;
  }
}

/** Waits; the return of the network ends the wait. */
function untilOnline(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    addEventListener('online', done);
  });
}

const pendingKey = (cityId: number) => `order.pending.${cityId}`;

/** The order whose outcome is not known: after a reload it has to be asked for again. */
export const recallPending = (cityId: number): Schema<'OrderCreate'> | undefined =>
  recallInTab(pendingKey(cityId), isOrder);

/** Keeps the order that is being sent; undefined when its outcome is known. */
export function keepPending(cityId: number, order: Schema<'OrderCreate'> | undefined): void {
  if (order) rememberInTab(pendingKey(cityId), order);
  else forgetInTab(pendingKey(cityId));
}

const isOrder = (value: unknown): value is Schema<'OrderCreate'> =>
  typeof value === 'object' && value !== null && 'order_cache_key' in value && 'cart' in value;
