import { readInTab, writeInTab } from '@/lib/storage';
import type { Arrival } from './machine';
import type { PayBody } from './send-pay';

/** What the tab stores of the payment of an order. Nothing of a card or a wallet is ever in it. */
interface Kept {
  /** The attempt that was sent and not answered: it is sent again under the same key. */
  unanswered?: { key: string; body: PayBody };
}

const keyOf = (cacheKey: string) => `payment.${cacheKey}`;

const isKept = (value: unknown): value is Kept => typeof value === 'object' && value !== null;

const readKept = (cacheKey: string) => readInTab(keyOf(cacheKey), isKept);

/** Stores an attempt that was begun. One with a cryptogram is left out: it cannot be repeated after a reload. */
export function writeAttempt(cacheKey: string, key: string, body: PayBody): void {
  writeInTab(keyOf(cacheKey), body.cryptogram ? {} : { unanswered: { key, body } });
}

/** Notes that the attempt was answered. */
export const settleAttempt = (cacheKey: string) => writeInTab(keyOf(cacheKey), {});

/** Returns the attempt that was underway when the page was left. */
export const readAttempt = (cacheKey: string) => readKept(cacheKey)?.unanswered;

/** Returns how the visitor came to the page, according to the address and to what the tab has stored. */
export function arrivalOf(cacheKey: string, search: string): Arrival {
  const back = new URLSearchParams(search).get('back');
  if (back !== null) return back === 'fail' ? 'failed' : 'back';
  return readKept(cacheKey) ? 'again' : 'first';
}
