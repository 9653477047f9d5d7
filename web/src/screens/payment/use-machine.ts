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
 * Returns the payment from the cache of queries, the tab's machine, and the function that applies an event to
 * both. The server's next answer replaces the changed payment. The hook polls the server.
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
  // The time makes an answer with an unchanged payment count as a new answer.
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
  /** Drops the load under way: it may have been sent before a call that has answered, and bring an older state. */
  const dropReading = useCallback(
    () => client.cancelQueries({ queryKey: keys.orderPayment(cacheKey) }),
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

  const view = viewOf(machine, payment);
  return { cacheKey, machine, payment, clockAhead, view, apply, reread, dropReading };
}

/** Calls `onShown` when the browser restores the page from its back-forward cache. */
function useShownAgain(onShown: () => void) {
  const comeBack = useEffectEvent((event: PageTransitionEvent) => event.persisted && onShown());
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => void comeBack(event);
    addEventListener('pageshow', onShow);
    return () => removeEventListener('pageshow', onShow);
  }, []);
}
