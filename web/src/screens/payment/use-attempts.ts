import { useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useRef } from 'react';
import { idempotency } from '@/api/idempotency';
import type { Failure, Result } from '@/api/result';
import { type Arrival, isFinal, type Next, type Refusal } from './machine';
import { type PayBody, sendPay } from './send-pay';
import { readAttempt, settleAttempt, writeAttempt } from './tab-memory';
import type { PaymentMachine } from './use-machine';

/** The functions that make payment attempts, one at a time. */
export type Attempts = ReturnType<typeof useAttempts>;

/**
 * Returns the functions that make payment attempts. On mount it resumes the attempt that was under way when the
 * page was left.
 */
export function useAttempts(
  { cacheKey, payment, apply, reread, dropReading }: PaymentMachine,
  arrival: Arrival,
) {
  const { t } = useLingui();
  const isAbandoned = useAbandoned(isFinal(payment.state));

  /** Stores and sends an attempt; resolves once its outcome is known or no longer needed. */
  const request = async (key: string, body: PayBody): Promise<Result<Next>> => {
    writeAttempt(cacheKey, key, body);
    const onUncertain = () => apply({ kind: 'responseLost' });
    const outcome = await sendPay(key, body, { onUncertain, isAbandoned });
    // The stored attempt stays, so that it can be resumed when the page is opened again.
    if (isAbandoned()) return outcome;
    settleAttempt(cacheKey);
    await dropReading();
    return outcome;
  };

  const conclude = (outcome: Result<Next>) => {
    if (outcome.kind === 'ok') apply({ kind: 'answered', next: outcome.data });
    else if (outcome.kind === 'server' || outcome.kind === 'offline') {
      const message = t({
        id: 'payment.attempts.could-not-reach-payment-service',
        message: 'We could not reach the payment service. Try again or choose another way to pay.',
      });
      apply({ kind: 'outcomeUnknown', message });
    } else apply({ kind: 'refused', refusal: refusalOf(outcome) });
    reread();
  };

  const isRunning = useRef(false);
  /** Runs an attempt; does nothing while another runs, so that pressing twice sends once. */
  const run = async (work: () => Promise<void>) => {
    if (isRunning.current) return;
    isRunning.current = true;
    apply({ kind: 'sent' });
    try {
      await work();
    } finally {
      isRunning.current = false;
    }
  };

  const resume = useEffectEvent(() => {
    const unanswered = readAttempt(cacheKey);
    if (!unanswered || arrival !== 'again' || isFinal(payment.state)) return;
    void run(async () => conclude(await request(unanswered.key, unanswered.body)));
  });
  useEffect(() => resume(), []);

  return {
    /** Sends an attempt under a new key. */
    request: (body: PayBody) => request(idempotency()['Idempotency-Key'], body),
    conclude,
    run,
    /** Ends an attempt that could not be sent, with a message and the errors of fields. */
    refuse: (message: string, fields: Refusal['fields'] = {}) =>
      apply({ kind: 'refused', refusal: { message, fields } }),
  };
}

/**
 * Returns a function that reports whether the outcome of an attempt is no longer needed, because the payment is
 * over or the page was left.
 */
function useAbandoned(isOver: boolean): () => boolean {
  const isAbandoned = useRef(false);
  useEffect(() => {
    isAbandoned.current = isOver;
  }, [isOver]);
  useEffect(
    () => () => {
      isAbandoned.current = true;
    },
    [],
  );
  return () => isAbandoned.current;
}

/**
 * Returns the refusal of a failure. The error of the field `payment` becomes the message; the other fields are
 * those of the form.
 */
function refusalOf(failure: Exclude<Failure, { kind: 'offline' }>): Refusal {
  const fields = failure.kind === 'invalid' || failure.kind === 'conflict' ? failure.fields : {};
  const { payment, ...others } = fields;
  return { message: payment ?? failure.message, fields: others };
}
