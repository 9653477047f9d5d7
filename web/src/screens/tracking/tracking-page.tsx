import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { PackageSearch } from 'lucide-react';
import { useEffect } from 'react';
import { Redirect, useLocation, useParams } from 'wouter';
import { ApiFault } from '@/api/result';
import { useCityAlias, useCityPath } from '@/entities/city/context';
import { readLastOrder } from '@/entities/order/last-order';
import { paymentPollTime } from '@/entities/order/order-state';
import { orderQuery } from '@/entities/order/queries';
import { rememberOrder } from '@/entities/order/remember-order';
import { settleUnpaid } from '@/entities/payment-state/unpaid-order';
import { Button } from '@/ui/button';
import { EmptyState } from '@/ui/feedback/empty-state';
import { Skeleton } from '@/ui/feedback/skeleton';
import { LookUpForm } from './look-up-form';
import { OrderView } from './order-view';
import { useOrderLink } from './use-order-link';

/**
 * The page of an order, by its number or, as `last`, the last order of this device. Without a valid number it
 * shows the look-up.
 */
export function TrackingPage() {
  const { orderId: text = '' } = useParams<{ orderId: string }>();
  // With more than 15 digits JavaScript's numbers are not exact.
  const orderId = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  const last = text === 'last' ? readLastOrder() : undefined;
  if (last) {
    const path = `/${last.cityAlias}/order/${last.orderId}/tracking${location.hash}`;
    return <Redirect to={path} replace />;
  }
  return (
    <main className="mx-auto max-w-6xl px-4 pt-4 pb-12 desktop:px-6">
      {orderId === undefined ? <LookUp /> : <Tracking key={orderId} orderId={orderId} />}
    </main>
  );
}

/**
 * The order once it is loaded; the look-up when this browser may not see it, a retry after any other failure. It
 * opens a secret link first, stores the order on the device as its last one unless it is over and another is in
 * progress, and notes there that a paid order no longer waits to be paid. An order of another city leads to the page
 * in that city.
 */
function Tracking({ orderId }: { orderId: number }) {
  const alias = useCityAlias();
  const link = useOrderLink(orderId);
  const {
    data: order,
    error,
    refetch,
    isFetching,
  } = useQuery({
    ...orderQuery(orderId),
    enabled: link.state !== 'opening',
    refetchInterval: ({ state: { data } }) => paymentPollTime(data),
  });
  const cityAlias = order?.city_alias;
  const isOver = order?.status.final;
  useEffect(() => {
    if (cityAlias) rememberOrder({ orderId, cityAlias, isOver });
  }, [orderId, cityAlias, isOver]);
  const isPaid = order?.payment?.state === 'paid';
  useEffect(() => {
    if (isPaid) settleUnpaid(orderId, { isPaid });
  }, [orderId, isPaid]);
  if (order && order.city_alias !== alias) {
    return <Redirect to={`/${order.city_alias}/order/${orderId}/tracking`} replace />;
  }
  if (order) return <OrderView order={order} />;
  if (!error) return <Waiting />;
  const isUnknown = error instanceof ApiFault && error.failure.kind === 'notFound';
  // The link may still open it.
  const isLinkLost = link.state === 'lost';
  const isOpening = link.state === 'opening';
  if (isUnknown && !isLinkLost && !isOpening) return <LookUp orderId={orderId} />;
  return (
    <EmptyState
      icon={PackageSearch}
      title={<Trans id="tracking.order-did-not-load">The order did not load</Trans>}
      action={
        <Button
          busy={isFetching || isOpening}
          onClick={() => (isLinkLost ? link.open() : void refetch())}
        >
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

/** The skeleton of the page while the order loads. */
const Waiting = () => (
  <div aria-busy="true" className="flex max-w-xl flex-col gap-4 py-4">
    <Skeleton shape="title" />
    <Skeleton shape="line" count={2} />
    <Skeleton shape="banner" />
  </div>
);

/** The form that finds an order by its number and phone, for a browser that may not see the order yet. */
function LookUp({ orderId }: { orderId?: number }) {
  const { t } = useLingui();
  const path = useCityPath();
  const [, navigate] = useLocation();
  return (
    <div className="mx-auto max-w-md py-6">
      <h1 className="title text-display">
        <Trans id="common.where-my-order">Where is my order</Trans>
      </h1>
      <p className="mt-2 mb-6 text-ink-soft">
        {orderId === undefined
          ? t({
              id: 'tracking.enter-number-of-order',
              message: 'Enter the number of the order and the phone it was placed with.',
            })
          : t({
              id: 'tracking.browser-does-not-know-order',
              message: `This browser does not know order ${orderId}. Enter the phone it was placed with.`,
            })}
      </p>
      <LookUpForm
        orderId={orderId}
        onFound={(found) => {
          if (found.orderId === orderId) return;
          navigate(path(`/order/${found.orderId}/tracking`));
        }}
      />
    </div>
  );
}
