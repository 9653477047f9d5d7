import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useCity } from '@/entities/city/context';
import type { PaymentAnswer } from '@/entities/payment-state/queries';
import type { Card } from './card/card-rules';
import { useCardPayment } from './card/use-card-payment';
import type { Arrival, Next, PaymentAlias } from './machine';
import { settingsQuery } from './queries';
import { useChallengeResult } from './secure/use-challenge-result';
import type { PayBody } from './send-pay';
import { goToBank, isPhone } from './targets';
import { type Attempts, useAttempts } from './use-attempts';
import { type PaymentMachine, useMachine } from './use-machine';

/** The fields of an attempt that depend on the payment type. */
export type PayDetails = Pick<PayBody, 'email' | 'phone' | 'cryptogram'>;

/** Everything that the payment page shows and does. */
export type Paying = ReturnType<typeof usePayment>;

/**
 * Returns the state of an order's payment and the functions of the page. It polls the server, starts an attempt
 * by itself where no form is needed, and goes to the bank's page.
 */
export function usePayment(first: PaymentAnswer, arrival: Arrival) {
  const cityId = useCity().id;
  const payment = useMachine(first, arrival);
  const { machine, view, apply } = payment;
  const { type } = machine;
  const settingsState = useQuery({
    ...settingsQuery(payment.payment, cityId, type),
    enabled: view.kind === 'offer' || view.kind === 'sending',
  });
  const { data: settings, isError: hasSettingsError } = settingsState;
  const attempts = useAttempts(payment, arrival);
  useChallengeResult(payment);
  useLeaving(payment, attempts);

  const bodyOf = (details: PayDetails): PayBody => ({
    order_id: payment.payment.order_id,
    order_cache_key: payment.cacheKey,
    payment_type: type,
    acquiring: settings?.acquiring,
    is_mobile: isPhone(),
    ...details,
  });
  const pay = (details: PayDetails = {}) =>
    void attempts.run(async () => attempts.conclude(await attempts.request(bodyOf(details))));
  const [email, keepEmail] = useState(first.payment.email ?? '');
  const sendCard = useCardPayment(payment, attempts, settings, bodyOf);
  const payByCard = (card: Card, receiptEmail: string) => {
    keepEmail(receiptEmail);
    sendCard(card, receiptEmail || undefined);
  };

  const startsItself = settings !== undefined && isAutomatic(type, settings.card_form);
  useStart(machine.wantsStart && view.kind === 'offer' && startsItself, pay);

  return {
    machine,
    payment: payment.payment,
    type,
    view,
    clockAhead: payment.clockAhead,
    settings,
    /** Whether the settings of the payment type could not be loaded. */
    hasSettingsError,
    areSettingsLoading: settingsState.isFetching,
    reloadSettings: () => void settingsState.refetch(),
    /** Whether the payment is about to start by itself. */
    isStarting: machine.wantsStart && (startsItself || (!settings && !hasSettingsError)),
    pay,
    payByCard,
    /** Where the receipt goes, as it was last sent; the order's own e-mail before. */
    email,
    choose: (other: PaymentAlias) => apply({ kind: 'chosen', type: other }),
    resume: () => apply({ kind: 'resumed' }),
    endChallenge: (end: { isConfirmed: boolean }) => apply({ kind: 'challengeEnded', ...end }),
    closeChallenge: () => apply({ kind: 'challengeClosed' }),
    reread: payment.reread,
  };
}

/** Starts the payment as soon as `isDue`. */
function useStart(isDue: boolean, pay: () => void) {
  const start = useEffectEvent(() => pay());
  useEffect(() => {
    if (isDue) start();
  }, [isDue]);
}

/**
 * Goes to the bank's page when the machine's act is `leaving`; refuses the attempt when that page's address is
 * not safe.
 */
function useLeaving({ machine: { act } }: PaymentMachine, { refuse }: Attempts) {
  const { t } = useLingui();
  const leave = useEffectEvent((next: Next) => {
    if (!goToBank(next)) {
      refuse(
        t({
          id: 'payment.banks-page-cannot-be-opened',
          message: 'The bank’s page cannot be opened. Choose another way to pay.',
        }),
      );
    }
  });
  useEffect(() => {
    if (act.kind === 'leaving') leave(act.next);
  }, [act]);
}

/** Reports whether a payment type has no form, so that an attempt starts as soon as it is chosen. */
export const isAutomatic = (type: PaymentAlias, cardForm: boolean): boolean =>
  type === 'sbp' || (type === 'card_online' && !cardForm);
