import { recallInTab, rememberInTab } from '@/lib/storage';
import type { Arrival } from './machine';
import type { PayBody } from './send-pay';

/** What the tab remembers of paying an order. Nothing of a card or a wallet is ever in it. */
interface Kept {
  /** The try that was sent and not answered: it is asked for again under the same key. */
  unanswered?: { key: string; body: PayBody };
}

const keyOf = (cacheKey: string) => `payment.${cacheKey}`;

const isKept = (value: unknown): value is Kept => typeof value === 'object' && value !== null;

const recallKept = (cacheKey: string) => recallInTab(keyOf(cacheKey), isKept);

/** Notes that a try was begun; one with a secret in it cannot be repeated after a reload. */
export function keepTry(cacheKey: string, key: string, body: PayBody): void {
  rememberInTab(keyOf(cacheKey), body.cryptogram ? {} : { unanswered: { key, body } });
}

/** Notes that the try was answered. */
export const closeTry = (cacheKey: string) => rememberInTab(keyOf(cacheKey), {});

/** The try that was under way when the page was left. */
export const recallTry = (cacheKey: string) => recallKept(cacheKey)?.unanswered;

/** How the visitor got here, by the address and by what the tab remembers. */
export function arrivalOf(cacheKey: string, search: string): Arrival {
  const back = new URLSearchParams(search).get('back');
  if (back !== null) return back === 'fail' ? 'failed' : 'back';
  return recallKept(cacheKey) ? 'again' : 'first';
}
