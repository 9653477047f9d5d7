import { Trans } from '@lingui/react/macro';
import { Clock } from 'lucide-react';
import type { Schema } from '@/api/types';
import { useClockAt } from '@/entities/city/use-clock-at';
import { PaymentLink } from '@/entities/payment-state/payment-link';
import { Notice } from '@/ui/feedback/notice';

/**
 * The notice until when an order can be paid, with a link to its payment for those who placed it, or the server's
 * message about the money; empty for other orders.
 */
export function PaymentNews({ order }: { order: Schema<'Order'> }) {
  const clockAt = useClockAt();
  const { payment, status, city_alias: cityAlias } = order;
  const isWaiting = payment !== undefined && status.alias === 'waiting_for_payment';
  const until = payment && clockAt(payment.pay_until);
  const key = payment?.order_cache_key;
  return (
    <div role="status" className="empty:hidden">
      {isWaiting ? (
        <Notice
          tone="warn"
          icon={Clock}
          title={
            payment.state === 'checking' ? (
              <Trans id="tracking.payment-news.asking-bank">
                We are asking the bank whether the payment went through
              </Trans>
            ) : (
              <Trans id="common.waiting-for-payment-until">Waiting for payment until {until}</Trans>
            )
          }
          action={
            key !== undefined && (
              <PaymentLink look="primary" cityAlias={cityAlias} orderKey={key}>
                {payment.state === 'checking' ? (
                  <Trans id="common.check-payment">Check the payment</Trans>
                ) : (
                  <Trans id="common.pay-for-order">Pay for the order</Trans>
                )}
              </PaymentLink>
            )
          }
        >
          {payment.message ??
            (key === undefined && (
              <Trans id="tracking.payment-news.pay-where-ordered">
                It can only be paid in the browser it was ordered in.
              </Trans>
            ))}
        </Notice>
      ) : (
        payment?.message && <Notice tone="info">{payment.message}</Notice>
      )}
    </div>
  );
}
