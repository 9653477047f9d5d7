import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useMemo, useReducer, useRef } from 'react';
import { keys } from '@/api/keys';
import type { PaymentAnswer } from '@/entities/payment-state/queries';
import {
  type Arrival,
  begin,
  type Event,
  type Machine,
  type Payment,
  paymentAfter,
  reduce,
  viewOf,
} from './machine';
import { freshTime, paymentQuery } from './queries';

/** The state of a payment, and the function that applies an event. */
export type PaymentMachine = ReturnType<typeof useMachine>;

/**
 * Returns the payment in the cache and the tab's machine beside it. Local events change both before
 * the next render: the machine by its reducer, the payment in the cache, which the next answer
 * replaces.
 */
export function useMachine(first: PaymentAnswer, arrival: Arrival) {
  const client = useQueryClient();
  const cacheKey = first.payment.order_cache_key;
  const [machine, dispatch] = useReducer(
    (before: Machine, [event, payment]: [Event, Payment]) => reduce(before, event, payment),
    first.payment,
    (payment) => begin(payment, arrival),
  );
  const { isFresh } = machine;
  const { data = first, dataUpdatedAt } = useQuery(paymentQuery(cacheKey, { isQuick: isFresh }));
  const { payment, clockAhead } = data;

  /** The payment that the machine was last brought up to date with. */
  const seen = useRef(first.payment);
  const apply = useCallback(
    (event: Event) => {
      const before = seen.current;
      seen.current = paymentAfter(before, event);
      const patch = (answer?: PaymentAnswer) => answer && { ...answer, payment: seen.current };
      if (seen.current !== before) client.setQueryData(keys.orderPayment(cacheKey), patch);
      dispatch([event, before]);
    },
    [client, cacheKey],
  );
  // With its time, so that an answer which is equal to the one before counts as another.
  const answer = useMemo(() => ({ payment, at: dataUpdatedAt }), [payment, dataUpdatedAt]);
  useEffect(() => {
    const before = seen.current;
    seen.current = answer.payment;
    dispatch([{ kind: 'serverUpdated', payment: answer.payment }, before]);
  }, [answer]);

  const reread = useCallback(
    () => void client.invalidateQueries({ queryKey: keys.orderPayment(cacheKey) }),
    [client, cacheKey],
  );

  useEffect(() => {
    if (!isFresh) return;
    const timer = setTimeout(() => apply({ kind: 'freshWindowEnded' }), freshTime);
    return () => clearTimeout(timer);
  }, [apply, isFresh]);

  useShownAgain(() => {
    apply({ kind: 'returned' });
    reread();
  });

  return { cacheKey, machine, payment, clockAhead, view: viewOf(machine, payment), apply, reread };
}

/** Calls `onShown` when the browser shows the page again from its cache, after Back. */
function useShownAgain(onShown: () => void) {
  const comeBack = useEffectEvent((event: PageTransitionEvent) => event.persisted && onShown());
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => void comeBack(event);
    addEventListener('pageshow', onShow);
    return () => removeEventListener('pageshow', onShow);
  }, []);
}
