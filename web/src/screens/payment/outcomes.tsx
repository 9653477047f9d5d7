import { Trans, useLingui } from '@lingui/react/macro';
import { Check, CircleX, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Schema } from '@/api/types';
import { useCart } from '@/entities/cart/queries';
import { useCity, useCityPath } from '@/entities/city/context';
import { readLastOrder } from '@/entities/order/last-order';
import { usePageTitle } from '@/entities/site/page-title';
import { callHref } from '@/lib/call-href';
import { writtenPhone } from '@/lib/phone';
import { Button } from '@/ui/button';
import { Skeleton } from '@/ui/feedback/skeleton';
import { ButtonLink, Link } from '@/ui/link';
import { useMoney } from '@/ui/money';
import { Panel } from './panel';
import type { Paying } from './use-payment';

type Payment = Schema<'OrderPayment'>;

interface OutcomeProps {
  payment: Payment;
  /** Whether the visitor saw another state before. */
  isNew: boolean;
}

/** The panel of a paid order: what happens next, and the link to track it. */
export function Paid({ payment, isNew }: OutcomeProps) {
  const { t } = useLingui();
  const { phone_masks: masks } = useCity();
  const { order_id: orderId } = payment;
  usePageTitle(
    t({ id: 'payment.outcomes.order-accepted', message: `Order ${orderId} is accepted` }),
  );
  const phone = <span className="numeral">{writtenPhone(payment.phone, masks)}</span>;
  return (
    <Panel
      title={<Trans id="payment.outcomes.accepted-order">We have accepted your order</Trans>}
      icon={Check}
      isSuccess
      isNew={isNew}
    >
      <p>
        <Trans id="payment.outcomes.if-anything-comes-up">
          If anything comes up, we will call {phone}. Keep your order number: {orderId}.
        </Trans>
      </p>
      <ButtonLink size="large" wide href={trackingPath(payment)}>
        <Trans id="payment.outcomes.track-order">Track the order</Trans>
      </ButtonLink>
    </Panel>
  );
}

/** The panel of an order that was not paid in time or was canceled, with the next step. */
export function Canceled({ payment, isNew }: OutcomeProps) {
  const { count, isLoading } = useCart();
  const newer = pathOfLaterOrder(payment);
  return (
    <CanceledPanel isNew={isNew}>
      <p>
        <Trans id="payment.outcomes.not-paid">It was not paid.</Trans>
        {!isLoading && count > 0 && (
          <>
            {' '}
            <Trans id="payment.outcomes.cart-kept">
              Your cart is kept, so you can order again.
            </Trans>
          </>
        )}
        {!isLoading && count === 0 && newer && (
          <>
            {' '}
            <Trans id="payment.outcomes.placed-order-again">
              You have placed this order again.
            </Trans>
          </>
        )}
      </p>
      <p className="text-ink-soft">
        <Trans id="payment.outcomes.if-money-taken-after-all">
          If money is taken after all, it goes back to you automatically. You do not need to do
          anything.
        </Trans>
      </p>
      {isLoading ? <Skeleton shape="button" /> : <NextStep hasCart={count > 0} newer={newer} />}
    </CanceledPanel>
  );
}

/**
 * The link from a canceled order: to the cart unless it is empty, else to the order placed since, else to the
 * menu.
 */
function NextStep({ hasCart, newer }: { hasCart: boolean; newer: string | undefined }) {
  const path = useCityPath();
  if (hasCart) {
    return (
      <ButtonLink size="large" wide href={path('/cart?step=2')}>
        <Trans id="common.back-to-checkout">Back to the checkout</Trans>
      </ButtonLink>
    );
  }
  if (newer) {
    return (
      <ButtonLink size="large" wide href={newer}>
        <Trans id="payment.outcomes.track-order">Track the order</Trans>
      </ButtonLink>
    );
  }
  return (
    <ButtonLink size="large" wide href={path()}>
      <Trans id="common.to-menu">To the menu</Trans>
    </ButtonLink>
  );
}

/**
 * Returns the tracking path of this device's last order if it is another order in the same city; otherwise
 * undefined.
 */
function pathOfLaterOrder({ order_id: orderId, city_alias: city }: Payment): string | undefined {
  const last = readLastOrder();
  if (!last || last.orderId === orderId || last.cityAlias !== city) return undefined;
  return trackingPath({ city_alias: city, order_id: last.orderId });
}

/** The panel of a canceled order whose money is kept. */
export function Kept({ payment, isNew }: OutcomeProps) {
  return (
    <CanceledPanel isNew={isNew}>
      <p>{payment.message}</p>
      <OrderLink payment={payment} />
    </CanceledPanel>
  );
}

/** A panel that says that the order is canceled, with the rest in it. */
function CanceledPanel({ isNew, children }: { isNew: boolean; children: ReactNode }) {
  const { t } = useLingui();
  usePageTitle(t({ id: 'common.order-canceled', message: 'The order is canceled' }));
  return (
    <Panel
      title={<Trans id="common.order-canceled">The order is canceled</Trans>}
      icon={CircleX}
      isNew={isNew}
    >
      {children}
    </Panel>
  );
}

/** The panel of a refund that is under way or done. */
export function GivenBack({ payment, isNew }: OutcomeProps) {
  const { t } = useLingui();
  const money = useMoney();
  const { state, refunded = 0 } = payment;
  const sum = money(refunded);
  // What is still on its way, and money of another currency, only the server's message says.
  const title =
    state === 'refunded' && refunded > 0
      ? t({ id: 'payment.outcomes.sum-went-back', message: `${sum} went back to you` })
      : t({ id: 'payment.outcomes.money-goes-back', message: 'The money goes back to you' });
  usePageTitle(title);
  return (
    <Panel title={title} icon={Undo2} isNew={isNew}>
      <p>{payment.message}</p>
      <OrderLink payment={payment} />
    </Panel>
  );
}

/** The link from a canceled or refunded order to its page. */
const OrderLink = ({ payment }: Pick<OutcomeProps, 'payment'>) => (
  <ButtonLink look="secondary" size="large" wide href={trackingPath(payment)}>
    <Trans id="common.to-order">To the order</Trans>
  </ButtonLink>
);

/**
 * The panel for a customer who is back from the bank before the result is known, with a button that continues at
 * the bank.
 */
export function Returned({ paying }: { paying: Pick<Paying, 'resume'> }) {
  return (
    <Panel
      title={<Trans id="payment.outcomes.asking-bank">We are asking the bank</Trans>}
      isNew
      busy
    >
      <p>
        <Trans id="payment.outcomes.if-paid-wait">
          If you have paid, wait a few seconds: this page updates by itself. If not, you can go on
          at once.
        </Trans>
      </p>
      <Button size="large" wide onClick={paying.resume}>
        <Trans id="payment.go-on-to-bank">Continue to your bank</Trans>
      </Button>
    </Panel>
  );
}

/**
 * The panel while the outcome is not known; after a while with the phone to call. It never says that the payment
 * failed.
 */
export function Checking({ payment, isNew, isLong }: OutcomeProps & { isLong: boolean }) {
  const { t } = useLingui();
  const { phone } = useCity();
  const { order_id: orderId } = payment;
  usePageTitle(t({ id: 'payment.title', message: `Payment · order ${orderId}` }));
  if (!isLong) {
    return (
      <Panel
        title={<Trans id="payment.outcomes.asking-bank">We are asking the bank</Trans>}
        isNew={isNew}
        busy
      >
        <p>
          <Trans id="payment.outcomes.takes-few-seconds">
            This takes a few seconds. Do not pay again.
          </Trans>
        </p>
      </Panel>
    );
  }
  const call = <Link href={callHref(phone)}>{phone}</Link>;
  return (
    <Panel
      title={
        <Trans id="payment.outcomes.still-checking">Still checking, order no. {orderId}</Trans>
      }
      isNew={isNew}
      busy
    >
      <p>
        <Trans id="payment.outcomes.bank-not-answered-yet">
          The bank has not answered yet. Do not pay again: this page will tell you as soon as it
          does. If the payment did not go through, the money stays with you or goes back to you
          automatically.
        </Trans>
      </p>
      <p>
        <Trans id="payment.outcomes.questions-call">Questions? Call {call}.</Trans>
      </p>
    </Panel>
  );
}

/** Returns the path of an order's tracking page. */
const trackingPath = ({
  city_alias: city,
  order_id: orderId,
}: Pick<Payment, 'city_alias' | 'order_id'>) => `/${city}/order/${orderId}/tracking`;
