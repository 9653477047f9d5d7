import { Trans } from '@lingui/react/macro';
import { Clock } from 'lucide-react';
import type { Schema } from '@/api/types';
import { useCityAlias } from '@/entities/city/context';
import { useClockAt } from '@/entities/city/use-clock-at';
import { PaymentLink } from '@/entities/payment-state/payment-link';
import { isWaiting } from '@/entities/payment-state/queries';
import { useUnpaidOrder } from '@/entities/payment-state/use-unpaid-order';
import { Notice } from '@/ui/feedback/notice';

/**
 * The notice, after Back from the payment page, that the order still waits for its payment and that a new order
 * cancels it; nothing otherwise.
 */
export function UnpaidOrderNotice() {
  const alias = useCityAlias();
  const { payment } = useUnpaidOrder();
  const waits = payment && isWaiting(payment) && payment.city_alias === alias;
  return (
    <div role="status" className="pb-4 empty:hidden">
      {waits && <Waiting payment={payment} />}
    </div>
  );
}

/** The notice itself, with the link to the payment of the waiting order. */
function Waiting({ payment }: { payment: Schema<'OrderPayment'> }) {
  const clockAt = useClockAt();
  const { order_id: orderId, order_cache_key: key, city_alias: cityAlias } = payment;
  const until = clockAt(payment.pay_until);
  // The payment may have succeeded already: the link then offers to check it, not to pay again.
  const isChecking = payment.state === 'checking';
  return (
    <Notice
      tone="warn"
      icon={Clock}
      title={
        isChecking ? (
          <Trans id="checkout.unpaid-order.asking-bank">
            We are asking the bank whether order no. {orderId} is paid
          </Trans>
        ) : (
          <Trans id="checkout.unpaid-order.waiting-until">
            Order no. {orderId} is waiting for payment until {until}
          </Trans>
        )
      }
      action={
        <PaymentLink look="primary" size="small" cityAlias={cityAlias} orderKey={key}>
          {isChecking ? (
            <Trans id="common.check-payment">Check the payment</Trans>
          ) : (
            <Trans id="checkout.unpaid-order.pay">Pay for this order</Trans>
          )}
        </PaymentLink>
      }
    >
      <Trans id="checkout.unpaid-order.order-again">
        If you order again, this order is canceled: you pay only once.
      </Trans>
    </Notice>
  );
}
