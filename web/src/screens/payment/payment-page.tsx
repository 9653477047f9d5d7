import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CreditCard } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Redirect, useLocation, useParams, useSearch } from 'wouter';
import { keys } from '@/api/keys';
import { ApiFault } from '@/api/result';
import { useCity, useCityAlias, useCityPath } from '@/entities/city/context';
import { rememberOrder } from '@/entities/order/remember-order';
import type { PaymentAnswer } from '@/entities/payment-state/queries';
import {
  readUnpaidOrder,
  settleUnpaid,
  writeUnpaidOrder,
} from '@/entities/payment-state/unpaid-order';
import { usePageTitle } from '@/entities/site/page-title';
import { Button } from '@/ui/button';
import { EmptyState } from '@/ui/feedback/empty-state';
import { Skeleton } from '@/ui/feedback/skeleton';
import { useHydrated } from '@/ui/hooks/use-hydrated';
import { ButtonLink } from '@/ui/link';
import { useMoney } from '@/ui/money';
import { BackToCheckout, DemoNotice, HowToPay, OtherWays } from './around';
import { Countdown } from './countdown';
import { isFinal, isUnderway, type Payment, wasRefused } from './machine';
import { PaymentBody } from './payment-body';
import { paymentQuery } from './queries';
import { arrivalOf } from './tab-memory';
import { useOwnDocument } from './use-own-document';
import { usePayment } from './use-payment';

/** The page that pays an order. It loads the payment; in another city's page it redirects to the order's city. */
export function PaymentPage() {
  const { key = '' } = useParams<{ key: string }>();
  const isHydrated = useHydrated();
  const isOwn = useOwnDocument();
  const { data, error, refetch, isFetching } = useQuery({
    ...paymentQuery(key),
    enabled: isHydrated && isOwn,
    refetchInterval: false,
    refetchOnWindowFocus: false,
  });
  const alias = useCityAlias();
  const search = useSearch();
  const city = data?.payment.city_alias;
  if (city && city !== alias) {
    return <Redirect to={`/${city}/order/payment/${key}${search && `?${search}`}`} replace />;
  }
  return (
    <main className="mx-auto max-w-md px-4 pt-6 pb-12">
      {data ? (
        <Screen key={key} first={data} />
      ) : error ? (
        <Failed error={error} isBusy={isFetching} onRetry={() => void refetch()} />
      ) : (
        <Waiting />
      )}
    </main>
  );
}

/**
 * The loaded page: the sum, the time left, the panel of the current step, other payment types. At the deadline
 * it leaves for the page of failed payments, but while an attempt is under way it loads the payment again instead.
 */
function Screen({ first }: { first: PaymentAnswer }) {
  const { t } = useLingui();
  const money = useMoney();
  const path = useCityPath();
  const [, navigate] = useLocation();
  const search = useSearch();
  const [arrival] = useState(() => arrivalOf(first.payment.order_cache_key, search));
  const paying = usePayment(first, arrival);
  const { machine, payment, view, clockAhead } = paying;
  const { order_id: orderId } = payment;
  useRememberedOrder(payment);
  usePageTitle(t({ id: 'payment.title', message: `Payment · order ${orderId}` }));
  const isOpen = !isFinal(payment.state);
  const canGoOn = view.kind === 'checking' && view.next !== undefined;
  const hasWays = view.kind === 'offer' || view.kind === 'act' || canGoOn;
  const isRefused = view.kind === 'offer' && wasRefused(machine, payment);
  const handleDeadline = () => {
    if (isUnderway(view)) paying.reread();
    else navigate(path('/back-to-home?state=payment-failure'), { replace: true });
  };
  return (
    <div className="flex flex-col gap-6">
      <header className="flex flex-col gap-1">
        <p className="text-ink-soft">
          <Trans id="common.order-number">Order no. {orderId}</Trans>
        </p>
        <h1 className="title text-display text-balance">
          {isOpen ? (
            <Trans id="payment.to-pay">
              To pay: <span className="numeral whitespace-nowrap">{money(payment.total)}</span>
            </Trans>
          ) : payment.state === 'paid' ? (
            <Trans id="payment.paid">
              Paid: <span className="numeral whitespace-nowrap">{money(payment.total)}</span>
            </Trans>
          ) : (
            <Trans id="common.payment">Payment</Trans>
          )}
        </h1>
        {isOpen && (
          <Countdown until={Date.parse(payment.pay_until) - clockAhead} onOver={handleDeadline} />
        )}
        {isOpen && (
          <p className="text-note text-ink-soft">
            <Trans id="payment.if-not-paid-by">
              If it is not paid by then, the order is canceled; the cart stays.
            </Trans>
          </p>
        )}
      </header>
      <PaymentBody paying={paying} />
      {hasWays && (
        <div className="border-t border-line">
          <OtherWays paying={paying} isRefused={isRefused} />
          <HowToPay type={paying.type} />
        </div>
      )}
      {hasWays && <BackToCheckout isRefused={isRefused} />}
      {isOpen && paying.settings?.is_sandbox && <DemoNotice />}
    </div>
  );
}

/**
 * Stores the order on the device: as the unpaid order while it waits to be paid, as the last order then and once
 * it is paid. When it no longer waits, notes that in the unpaid order and loads the cart again; once it is paid,
 * the draft of the checkout is removed too.
 */
function useRememberedOrder({
  order_id: orderId,
  city_alias: cityAlias,
  order_cache_key: key,
  state,
  status,
}: Payment) {
  const client = useQueryClient();
  const cityId = useCity().id;
  const isOver = isFinal(state);
  const isPaid = state === 'paid';
  useEffect(() => {
    // A canceled or refunded order does not replace a later one as the last order.
    if (!isOver || (isPaid && status !== 'canceled'))
      rememberOrder({ orderId, cityAlias, isOver: status === 'done' });
    if (!isOver && readUnpaidOrder()?.orderId !== orderId) {
      writeUnpaidOrder({ orderId, cityId, cityAlias, key });
    }
    if (!isOver) return;
    settleUnpaid(orderId, { isPaid });
    // The server may have emptied the cart.
    void client.invalidateQueries({ queryKey: keys.cart(cityId) });
  }, [client, orderId, cityAlias, cityId, key, isOver, isPaid, status]);
}

/** The skeleton of the page while the payment loads. */
const Waiting = () => (
  <div aria-busy="true" className="flex flex-col gap-4 py-2">
    <Skeleton shape="title" />
    <Skeleton shape="line" />
    <Skeleton shape="button" count={3} />
  </div>
);

interface FailedProps {
  error: Error;
  isBusy: boolean;
  onRetry: () => void;
}

/** The reason why the payment cannot be shown, with a button that helps. */
function Failed({ error, isBusy, onRetry }: FailedProps) {
  const path = useCityPath();
  const isUnknown = error instanceof ApiFault && error.failure.kind === 'notFound';
  if (isUnknown) {
    return (
      <EmptyState
        heading="h1"
        icon={CreditCard}
        title={
          <Trans id="payment.browser-does-not-know-order">
            This browser does not know the order
          </Trans>
        }
        action={
          <ButtonLink href={path('?modal=order-status')}>
            <Trans id="common.find-order">Find the order</Trans>
          </ButtonLink>
        }
      >
        <Trans id="payment.open-page-in-browser-ordered">
          Open this page in the browser you ordered with.
        </Trans>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      heading="h1"
      icon={CreditCard}
      title={<Trans id="payment.payment-page-did-not-load">The payment page did not load</Trans>}
      action={
        <Button busy={isBusy} onClick={onRetry}>
          <Trans id="common.try-again">Try again</Trans>
        </Button>
      }
    >
      <Trans id="common.nothing-happened-to-order-itself">
        Nothing has happened to the order itself.
      </Trans>
    </EmptyState>
  );
}
