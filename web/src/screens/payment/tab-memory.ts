import { readInTab, writeInTab } from '@/lib/storage';
import type { Arrival } from './machine';
import type { PayBody } from './send-pay';

/** The tab's stored state of an order's payment. It never contains data of a card or a wallet. */
interface Kept {
  /** The attempt that was sent and not answered: it is sent again under the same key. */
  unanswered?: { key: string; body: PayBody };
}

/** Returns the key under which the tab stores the state. */
const keyOf = (cacheKey: string) => `payment.${cacheKey}`;

/** Reports whether a stored value may be the state. */
const isKept = (value: unknown): value is Kept => typeof value === 'object' && value !== null;

/** Returns the stored state; undefined when there is none. */
const readKept = (cacheKey: string) => readInTab(keyOf(cacheKey), isKept);

/**
 * Stores an attempt before it is sent. An attempt with a cryptogram is not stored, only that there was one: it
 * cannot be repeated after a reload.
 */
export function writeAttempt(cacheKey: string, key: string, body: PayBody): void {
  writeInTab(keyOf(cacheKey), body.cryptogram ? {} : { unanswered: { key, body } });
}

/** Removes the stored attempt because it was answered. */
export const settleAttempt = (cacheKey: string) => writeInTab(keyOf(cacheKey), {});

/** Returns the stored attempt that has no answer yet; undefined when there is none. */
export const readAttempt = (cacheKey: string) => readKept(cacheKey)?.unanswered;

/** Returns how the visitor came to the page, by the address and the tab's stored state. */
export function arrivalOf(cacheKey: string, search: string): Arrival {
  const back = new URLSearchParams(search).get('back');
  if (back !== null) return back === 'fail' ? 'failed' : 'back';
  return readKept(cacheKey) ? 'again' : 'first';
}
