import { Trans, useLingui } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import { useClockAt } from '@/features/unpaid/use-clock-at';
import type { Outcome } from './outcome';

/** What happened, in one line. */
export function useOutcomeTitle(outcome: Outcome): string {
  const { t } = useLingui();
  switch (outcome) {
    case 'failed':
    case 'unknown':
      return t`The payment did not go through`;
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
    case 'failed': {
      const until = payment && clockAt(payment.pay_until);
      return (
        <>
          {payment?.problem?.message ?? <Trans>No money was taken.</Trans>}{' '}
          <Trans>The order waits for payment until {until}.</Trans>
        </>
      );
    }
    case 'checking':
      return (
        <Trans>Do not pay again. As soon as the bank answers, the order goes on by itself.</Trans>
      );
    case 'paid':
      return <Trans>Thank you. We have your order, there is nothing more to do.</Trans>;
    case 'given-back':
      return <Trans>The order is canceled, so we send back what was paid.</Trans>;
    case 'late':
    case 'canceled':
    case 'unknown':
      return (
        <Trans>
          No money was taken. If your bank shows a payment all the same, it goes back by itself.
        </Trans>
      );
  }
}
