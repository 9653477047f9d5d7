import { useLingui } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import { useCart } from '@/entities/cart/queries';
import { useCityPath } from '@/entities/city/context';
import { type LastOrder, readLastOrder } from '@/entities/order/last-order';
import { PaymentLink } from '@/entities/payment-state/payment-link';
import { ButtonLink } from '@/ui/link';
import type { Outcome } from './outcome';

interface NextStepsProps {
  outcome: Outcome;
  payment: Schema<'OrderPayment'> | undefined;
  /** Small where they are in a notice. */
  size: 'small' | 'large';
}

/**
 * The links to the next steps after an outcome, the best first: to the payment, to the order, back to the
 * checkout.
 */
export function NextSteps({ outcome, payment, size }: NextStepsProps) {
  const { t } = useLingui();
  const path = useCityPath();
  const { count } = useCart();
  const wide = size === 'large';
  const order = orderOf(payment);
  const isOver = outcome === 'paid' || outcome === 'given-back' || outcome === 'kept';
  const mayBePaid = isOver || outcome === 'unknown';
  const payLabels: Partial<Record<Outcome, string>> = {
    failed: t({ id: 'common.try-again', message: 'Try again' }),
    unfinished: t({
      id: 'payment-return.ways-on.go-on-to-payment',
      message: 'Go on to the payment',
    }),
    checking: t({ id: 'common.check-payment', message: 'Check the payment' }),
  };
  const payLabel = payLabels[outcome];
  return (
    <>
      {payLabel && payment && (
        <PaymentLink
          look="primary"
          size={size}
          wide={wide}
          cityAlias={payment.city_alias}
          orderKey={payment.order_cache_key}
        >
          {payLabel}
        </PaymentLink>
      )}
      {mayBePaid && order && (
        <ButtonLink
          size={size}
          wide={wide}
          href={`/${order.cityAlias}/order/${order.orderId}/tracking`}
        >
          {t({ id: 'common.to-order', message: 'To the order' })}
        </ButtonLink>
      )}
      {!isOver && outcome !== 'checking' && count > 0 && (
        <ButtonLink
          look={payLabel ? 'secondary' : 'primary'}
          size={size}
          wide={wide}
          href={path('/cart?step=2')}
        >
          {t({ id: 'common.back-to-checkout', message: 'Back to the checkout' })}
        </ButtonLink>
      )}
    </>
  );
}

/** Returns the order of the payment; without a payment, the last order of this device. */
const orderOf = (payment: Schema<'OrderPayment'> | undefined): LastOrder | undefined =>
  payment ? { orderId: payment.order_id, cityAlias: payment.city_alias } : readLastOrder();
