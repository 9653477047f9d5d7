import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useReducer, useRef } from 'react';
import { idempotency } from '@/api/idempotency';
import { keys } from '@/api/keys';
import type { Failure, Result } from '@/api/result';
import { useCity } from '@/entities/city/context';
import type { PaymentAnswer } from '@/entities/payment-state/queries';
import type { Card } from './card/card-rules';
import { useCardWords } from './card/card-words';
import {
  type Arrival,
  begin,
  isFinal,
  type Next,
  type PaymentAlias,
  type Refusal,
  reduce,
  viewOf,
} from './machine';
import { freshTime, paymentQuery, settingsQuery } from './queries';
import { askOutcome } from './secure/ask-outcome';
import { type PayBody, sendPay } from './send-pay';
import { closeTry, keepTry, recallTry } from './tab-memory';
import { isPhone, leaveFor } from './targets';

/** What a way to pay adds to a try. */
export type PayDetails = Pick<PayBody, 'email' | 'phone' | 'cryptogram'>;

/** Everything that the payment page shows and does. */
export type Paying = ReturnType<typeof usePayment>;

/** Pays an order: one try at a time, from the first answer of the server to the outcome. */
export function usePayment(first: PaymentAnswer, arrival: Arrival) {
  const { t } = useLingui();
  const words = useCardWords();
  const client = useQueryClient();
  const cityId = useCity().id;
  const cacheKey = first.payment.order_cache_key;
  const [machine, dispatch] = useReducer(reduce, first.payment, (payment) =>
    begin(payment, arrival),
  );
  const { payment, act, type, isFresh } = machine;
  const { data = first, dataUpdatedAt } = useQuery(paymentQuery(cacheKey, isFresh));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same news may come again, and counts
  useEffect(() => dispatch({ kind: 'told', payment: data.payment }), [data, dataUpdatedAt]);

  const view = viewOf(machine);
  const { data: settings, isError: isUnsettled } = useQuery({
    ...settingsQuery(payment, cityId, type),
    enabled: view.kind === 'offer' || view.kind === 'sending',
  });

  const isOver = useRef(false);
  useEffect(() => {
    isOver.current = isFinal(payment.state);
  }, [payment.state]);
  useEffect(
    () => () => {
      isOver.current = true;
    },
    [],
  );

  const reread = () => client.invalidateQueries({ queryKey: keys.orderPayment(cacheKey) });

  const request = async (key: string, body: PayBody): Promise<Result<Next>> => {
    keepTry(cacheKey, key, body);
    const onUncertain = () => dispatch({ kind: 'lost' });
    const outcome = await sendPay(key, body, { onUncertain, isAbandoned: () => isOver.current });
    if (isOver.current) return outcome;
    closeTry(cacheKey);
    // What was asked for before the answer knows less than the answer.
    await client.cancelQueries({ queryKey: keys.orderPayment(cacheKey) });
    return outcome;
  };

  const conclude = (outcome: Result<Next>) => {
    if (outcome.kind === 'ok') dispatch({ kind: 'answered', next: outcome.data });
    else if (outcome.kind === 'server' || outcome.kind === 'offline') {
      const message = t`We could not reach the payment service. Try again or choose another way to pay.`;
      dispatch({ kind: 'gaveUp', message });
    } else dispatch({ kind: 'refused', refusal: refusalOf(outcome) });
    void reread();
  };

  // One try at a time: pressing twice sends once.
  const isRunning = useRef(false);
  const run = async (work: () => Promise<void>) => {
    if (isRunning.current) return;
    isRunning.current = true;
    dispatch({ kind: 'send' });
    try {
      await work();
    } finally {
      isRunning.current = false;
    }
  };

  const bodyOf = (details: PayDetails): PayBody => ({
    order_id: payment.order_id,
    order_cache_key: cacheKey,
    payment_type: type,
    acquiring: settings?.acquiring,
    is_mobile: isPhone(),
    ...details,
  });
  const keyOfTry = () => idempotency()['Idempotency-Key'];

  const pay = (details: PayDetails = {}) =>
    void run(async () => conclude(await request(keyOfTry(), bodyOf(details))));

  const refuse = (message: string, fields: Refusal['fields'] = {}) =>
    dispatch({ kind: 'refused', refusal: { message, fields } });

  const payByCard = (card: Card, email: string | undefined) =>
    void run(async () => {
      if (!settings) return;
      const encryption = await import('./card/encrypt').catch(() => undefined);
      if (!encryption) {
        refuse(t`Part of the page did not load. Reload it and pay again.`);
        return;
      }
      const { encryptCard } = encryption;
      let verifyParam = settings.verify_param;
      // Twice at most: a parameter may have grown too old.
      for (let round = 0; round < 3; round += 1) {
        const body = bodyOf({ email });
        const isFirst = settings.needs_verify_param && !verifyParam;
        if (!isFirst) {
          const encrypted = await encryptCard(card, settings, verifyParam);
          if (encrypted.kind === 'wrong') {
            refuse('', words.wrongFields(encrypted.fields));
            return;
          }
          if (encrypted.kind === 'impossible') {
            refuse(t`This browser cannot send a card safely. Choose another way to pay.`);
            return;
          }
          body.cryptogram = encrypted.cryptogram;
          body.verify_param = verifyParam;
        }
        const outcome = await request(keyOfTry(), body);
        if (outcome.kind !== 'ok' || outcome.data.reason !== 'pre-auth') {
          conclude(outcome);
          return;
        }
        verifyParam = outcome.data.verify_param;
      }
      const message = t`The card could not be checked. Try again or choose another way to pay.`;
      dispatch({ kind: 'gaveUp', message });
      void reread();
    });

  const resume = useEffectEvent(() => {
    const kept = recallTry(cacheKey);
    if (!kept || arrival !== 'again' || isFinal(payment.state)) return;
    void run(async () => conclude(await request(kept.key, kept.body)));
  });
  useEffect(() => resume(), []);

  const startsItself = settings !== undefined && isAutomatic(type, settings.card_form);
  const start = useEffectEvent(() => pay());
  const wantsStart = machine.wantsStart && view.kind === 'offer' && startsItself;
  useEffect(() => {
    if (wantsStart) start();
  }, [wantsStart]);

  const leave = useEffectEvent((next: Next) => {
    if (!leaveFor(next)) {
      refuse(t`The bank’s page cannot be opened. Choose another way to pay.`);
    }
  });
  useEffect(() => {
    if (act.kind === 'leaving') leave(act.next);
  }, [act]);

  const ask = useEffectEvent((asked: Extract<typeof act, { kind: 'asking' }>) =>
    askOutcome(payment, asked, {
      onTold: (told) => dispatch({ kind: 'told', payment: told }),
      onRefused: (refusal) => dispatch({ kind: 'refused', refusal }),
      onEnd: () => {
        dispatch({ kind: 'asked' });
        void reread();
      },
    }),
  );
  useEffect(() => {
    if (act.kind !== 'asking') return;
    return ask(act);
  }, [act]);

  useEffect(() => {
    if (!isFresh) return;
    const timer = setTimeout(() => dispatch({ kind: 'rested' }), freshTime);
    return () => clearTimeout(timer);
  }, [isFresh]);

  const comeBack = useEffectEvent((event: PageTransitionEvent) => {
    if (!event.persisted) return;
    dispatch({ kind: 'returned' });
    void reread();
  });
  useEffect(() => {
    const heard = (event: PageTransitionEvent) => comeBack(event);
    addEventListener('pageshow', heard);
    return () => removeEventListener('pageshow', heard);
  }, []);

  return {
    machine,
    payment,
    type,
    view,
    clockAhead: data.clockAhead,
    settings,
    /** Whether it cannot be learned what the way to pay needs. */
    isUnsettled,
    /** Whether what stands on the screen is about to begin by itself. */
    isStarting: machine.wantsStart && (startsItself || (!settings && !isUnsettled)),
    pay,
    payByCard,
    choose: (other: PaymentAlias) => dispatch({ kind: 'choose', type: other }),
    goOn: () => dispatch({ kind: 'goOn' }),
    proved: (isTold: boolean) => dispatch({ kind: 'proved', isTold }),
    closeProof: () => dispatch({ kind: 'closed' }),
    reread: () => void reread(),
  };
}

/** Whether a way to pay has nothing to fill in, so that it begins as soon as it is chosen. */
export const isAutomatic = (type: PaymentAlias, cardForm: boolean): boolean =>
  type === 'sbp' || (type === 'card_online' && !cardForm);

/** What a refusal says; the message of the whole only where no field has words of its own. */
function refusalOf(failure: Exclude<Failure, { kind: 'offline' }>): Refusal {
  const fields = failure.kind === 'invalid' || failure.kind === 'conflict' ? failure.fields : {};
  const { payment, ...others } = fields;
  return { message: payment ?? failure.message, fields: others };
}
