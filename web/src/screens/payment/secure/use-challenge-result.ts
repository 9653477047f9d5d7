import { useEffect, useEffectEvent } from 'react';
import { api } from '@/api/client';
import { attempt } from '@/api/result';
import type { Machine, Payment, Refusal } from '../machine';
import type { PaymentMachine } from '../use-machine';

type Polling = Extract<Machine['act'], { kind: 'polling' }>;

/** How often the result is polled for before the last time. */
const regularPolls = 3;

/** The pause between two polls, in milliseconds. */
const pause = 5000;

interface Listeners {
  /** Called when the server has answered; what the answer says is applied once it resolves. */
  onAnswer: () => Promise<void>;
  onPayment: (payment: Payment) => void;
  /** Called when the attempt was refused for certain. */
  onRefused: (refusal: Refusal) => void;
  onEnd: () => void;
}

/**
 * While the machine's act is `polling`, polls the server for the result of 3-D Secure and applies it to the
 * machine.
 */
export function useChallengeResult({
  machine: { act },
  payment,
  apply,
  reread,
  dropReading,
}: PaymentMachine) {
  const poll = useEffectEvent((polling: Polling) =>
    pollResult(payment, polling, {
      onAnswer: dropReading,
      onPayment: (known) => apply({ kind: 'serverUpdated', payment: known }),
      onRefused: (refusal) => apply({ kind: 'refused', refusal }),
      onEnd: () => {
        apply({ kind: 'polled' });
        reread();
      },
    }),
  );
  useEffect(() => {
    if (act.kind !== 'polling') return;
    return poll(act);
  }, [act]);
}

/**
 * Polls for the outcome of a payment after 3-D Secure: at once, and then every 5 s until the last time. Failed
 * polls are ignored; errors are shown only when the state says that the attempt has failed. `onEnd` follows the
 * last poll when the attempt has neither failed nor paid. Returns the function that stops polling.
 */
function pollResult(
  { order_id, order_cache_key }: Payment,
  { after, next, methodDone }: Polling,
  { onAnswer, onPayment, onRefused, onEnd }: Listeners,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  const pollOnce = async (polls: number) => {
    const isLast = polls === regularPolls;
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
      await onAnswer();
      if (isStopped) return;
      const { payment, errors = {}, message } = outcome.data;
      // The attempt is over, and the order can be paid again, or no more.
      const hasFailed = payment.state === 'waiting' || payment.state === 'canceled';
      onPayment(payment);
      if (hasFailed && Object.keys(errors).length > 0) {
        const fields = Object.entries(errors).flatMap(([name, [first]]) =>
          first ? [[name, first] as const] : [],
        );
        // The name `payment` stands for the payment as a whole.
        const { payment: whole, ...others } = Object.fromEntries(fields);
        onRefused({ message: whole ?? message ?? '', fields: others });
      }
      if (hasFailed || payment.state === 'paid') return;
    }
    if (isLast) onEnd();
    else timer = setTimeout(() => void pollOnce(polls + 1), pause);
  };

  void pollOnce(0);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
