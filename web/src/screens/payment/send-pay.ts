import { api } from '@/api/client';
import { attempt, type Result } from '@/api/result';
import type { Schema } from '@/api/types';

export type PayBody = Schema<'OrderPay'>;
type Outcome = Result<Schema<'PaymentNext'>>;

/** How many unexpected faults of the server in a row are taken for its last word. */
const faultsTaken = 3;

interface Sending {
  /** Called once when it is not known any more whether the try was begun. */
  onLost?: () => void;
  /** Waits between two copies. `milliseconds` is the longest wait; it may end sooner. */
  wait?: (milliseconds: number) => Promise<void>;
  /** Whether nobody waits for the answer any more. */
  isOver?: () => boolean;
}

/**
 * Sends a try to pay and does not answer before it is known what became of it. When an answer is lost,
 * the very same request goes out again: its key makes one try of all the copies.
 */
export async function sendPay(
  key: string,
  body: PayBody,
  { onLost, wait = untilOnline, isOver = () => false }: Sending = {},
): Promise<Outcome> {
  const params = { header: { 'Idempotency-Key': key } };
  let isLost = false;
  let faults = 0;
  for (let tries = 0; ; tries += 1) {
    const outcome = await attempt(api.POST('/order/pay', { params, body }));
    if (outcome.kind === 'server') faults += 1;
    const pause = pauseAfter(outcome, tries, isLost);
    if (pause === undefined || faults === faultsTaken || isOver()) return outcome;
    if (!isLost) onLost?.();
    isLost = true;
    await wait(pause);
    if (isOver()) return outcome;
  }
}

/** How long to wait before asking again, in milliseconds; undefined when the answer is final. */
function pauseAfter(outcome: Outcome, tries: number, isLost: boolean): number | undefined {
  const patience = Math.min(10_000, 1000 * 2 ** tries);
  switch (outcome.kind) {
    case 'offline':
    case 'unavailable':
    case 'server':
      return patience;
    case 'tooMany':
      // Before anything was lost this is a plain refusal.
      return isLost ? Math.max(patience, outcome.retryAfter * 1000) : undefined;
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
