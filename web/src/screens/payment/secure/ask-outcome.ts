import { api } from '@/api/client';
import { attempt } from '@/api/result';
import type { Next, Payment, Refusal } from '../machine';

/** How often the bank's answer is asked for before the last time (specification §9). */
const regularTries = 3;

/** How long one waits in between, in milliseconds. */
const pause = 5000;

interface Asked {
  after: 'introducing' | 'proving';
  next: Next;
  methodDone: boolean;
}

interface Listeners {
  onTold: (payment: Payment) => void;
  /** What the bank refused for certain. */
  onRefused: (refusal: Refusal) => void;
  onEnd: () => void;
}

/**
 * Asks what became of a payment after 3-D Secure: at once, and then every 5 s until the last time.
 * Errors are told on the last one only, or as soon as the server says that they are certain. Answers
 * how to stop.
 */
export function askOutcome(
  { order_id, order_cache_key }: Payment,
  { after, next, methodDone }: Asked,
  { onTold, onRefused, onEnd }: Listeners,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  const askOnce = async (tries: number) => {
    const isLast = tries === regularTries;
    const body = {
      order_id,
      order_cache_key,
      TransactionId: next.transaction_id,
      method_done: after === 'introducing' ? methodDone : undefined,
      last_attempt: isLast,
    };
    const outcome = await attempt(api.POST('/order/post3ds', { body }));
    if (isStopped) return;
    if (outcome.kind === 'ok') {
      const { payment, errors = {}, message } = outcome.data;
      const isCertain = payment.state === 'waiting' || payment.state === 'canceled';
      onTold(payment);
      if (isCertain && Object.keys(errors).length > 0) {
        const fields = Object.entries(errors).flatMap(([name, [first]]) =>
          first ? [[name, first] as const] : [],
        );
        const { payment: whole, ...others } = Object.fromEntries(fields);
        onRefused({ message: whole ?? message ?? '', fields: others });
      }
      if (isCertain || payment.state === 'paid') return;
    }
    if (isLast) onEnd();
    else timer = setTimeout(() => void askOnce(tries + 1), pause);
  };

  void askOnce(0);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
