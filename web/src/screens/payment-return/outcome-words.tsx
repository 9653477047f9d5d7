import { Trans, useLingui } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import { useClockAt } from '@/entities/city/use-clock-at';
import type { Outcome } from './outcome';

/** Returns the title of an outcome. */
export function useOutcomeTitle(outcome: Outcome): string {
  const { t } = useLingui();
  switch (outcome) {
    case 'failed':
      return t({
        id: 'common.payment-did-not-go-through',
        message: 'The payment did not go through',
      });
    case 'unfinished':
      return t({
        id: 'payment-return.outcome.payment-not-finished',
        message: 'The payment was not finished',
      });
    case 'late':
      return t({
        id: 'payment-return.outcome.time-to-pay-run-out',
        message: 'The time to pay has run out',
      });
    case 'canceled':
    case 'kept':
      return t({ id: 'common.order-canceled', message: 'The order is canceled' });
    case 'checking':
      return t({
        id: 'payment-return.outcome.still-asking-bank',
        message: 'We are still asking the bank',
      });
    case 'paid':
      return t({ id: 'payment-return.outcome.order-paid', message: 'The order is paid' });
    case 'given-back':
      return t({
        id: 'payment.outcomes.money-goes-back',
        message: 'The money goes back to you',
      });
    case 'unknown':
      return t({
        id: 'payment-return.outcome.do-not-know-how-payment',
        message: 'We do not know yet whether the payment went through',
      });
  }
}

interface OutcomeTextProps {
  outcome: Outcome;
  payment: Schema<'OrderPayment'> | undefined;
}

/** One or two sentences about the money and the order after an outcome. */
export function OutcomeText({ outcome, payment }: OutcomeTextProps) {
  const clockAt = useClockAt();
  switch (outcome) {
    case 'unfinished': {
      const until = payment && clockAt(payment.pay_until);
      return (
        <Trans id="payment-return.outcome.can-still-pay">
          You can still pay: the order is waiting until {until}.
        </Trans>
      );
    }
    case 'failed': {
      const until = payment && clockAt(payment.pay_until);
      return (
        <>
          {payment?.problem?.message ?? (
            <Trans id="payment-return.outcome.no-money-taken">
              As far as we know, no money was taken.
            </Trans>
          )}{' '}
          <Trans id="payment-return.outcome.order-waiting-for-payment-until">
            The order is waiting for payment until {until}.
          </Trans>
        </>
      );
    }
    case 'checking':
      return (
        <Trans id="payment-return.outcome.do-not-pay-again">
          Do not pay again. As soon as the bank answers, the order will go ahead by itself.
        </Trans>
      );
    case 'paid':
      return (
        <Trans id="payment-return.outcome.thank-order">
          Thank you. We have your order, and there is nothing more to do.
        </Trans>
      );
    case 'given-back':
    case 'kept':
      return payment?.message;
    case 'late':
    case 'canceled':
      return (
        <Trans id="payment-return.outcome.no-money-taken-or-returned">
          As far as we know, no money was taken. If your bank shows a payment after all, it goes
          back to you automatically.
        </Trans>
      );
    case 'unknown':
      return (
        <Trans id="payment-return.outcome.before-pay-again">
          Before you pay again, look at your order or ask your bank.
        </Trans>
      );
  }
}
