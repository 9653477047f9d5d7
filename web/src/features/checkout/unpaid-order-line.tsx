import { Trans } from '@lingui/react/macro';
import { useCityAlias } from '@/features/city/context';
import { PaymentLink } from '@/features/unpaid/payment-link';
import { isWaiting } from '@/features/unpaid/queries';
import { useClockAt } from '@/features/unpaid/use-clock-at';
import { useUnpaidOrder } from '@/features/unpaid/use-unpaid-order';

/** Tells whoever came back from the payment that the order still waits for it. */
export function UnpaidOrderLine() {
  const alias = useCityAlias();
  const clockAt = useClockAt();
  const { payment } = useUnpaidOrder();
  if (!payment || !isWaiting(payment) || payment.city_alias !== alias) return null;
  const { order_id: orderId, order_cache_key: key } = payment;
  const until = clockAt(payment.pay_until);
  return (
    <p className="text-note text-ink-soft">
      <Trans>
        Order no. {orderId} is waiting for payment until {until}.
      </Trans>{' '}
      <PaymentLink cityAlias={alias} orderKey={key}>
        <Trans>Pay now</Trans>
      </PaymentLink>
    </p>
  );
}
