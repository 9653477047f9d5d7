import { Trans, useLingui } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import { useClockAt } from '@/entities/city/use-clock-at';
import type { Outcome } from './outcome';

/** What happened, in one line. */
export function useOutcomeTitle(outcome: Outcome): string {
  const { t } = useLingui();
  switch (outcome) {
    case 'failed':
      return t`The payment did not go through`;
    case 'unfinished':
      return t`The payment was not finished`;
    case 'late':
      return t`The time to pay has run out`;
    case 'canceled':
      return t`The order is canceled`;
    case 'checking':
      return t`We are still asking the bank`;
    case 'paid':
      return t`The order is paid`;
    case 'given-back':
      return t`The money goes back to you`;
    case 'unknown':
      return t`We do not know how the payment ended`;
  }
}

interface OutcomeTextProps {
  outcome: Outcome;
  payment: Schema<'OrderPayment'> | undefined;
}

/** What became of the money, in one or two sentences. */
export function OutcomeText({ outcome, payment }: OutcomeTextProps) {
  const clockAt = useClockAt();
  switch (outcome) {
    case 'unfinished': {
      const until = payment && clockAt(payment.pay_until);
      return <Trans>You can still pay: the order is waiting until {until}.</Trans>;
    }
    case 'failed': {
      const until = payment && clockAt(payment.pay_until);
      return (
        <>
          {payment?.problem?.message ?? <Trans>As far as we know, no money was taken.</Trans>}{' '}
          <Trans>The order is waiting for payment until {until}.</Trans>
        </>
      );
    }
    case 'checking':
      return (
        <Trans>
          Do not pay again. As soon as the bank answers, the order will go ahead by itself.
        </Trans>
      );
    case 'paid':
      return <Trans>Thank you. We have your order, and there is nothing more to do.</Trans>;
    case 'given-back':
      return <Trans>The order is canceled, so what you paid goes back to you.</Trans>;
    case 'late':
    case 'canceled':
      return (
        <Trans>
          As far as we know, no money was taken. If your bank shows a payment after all, it goes
          back to you automatically.
        </Trans>
      );
    case 'unknown':
      return <Trans>Before you pay again, look at your order or ask your bank.</Trans>;
  }
}
