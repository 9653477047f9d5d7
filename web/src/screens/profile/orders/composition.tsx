import { Plural, Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { PriceRows } from '@/entities/cart/cart-totals';
import { OrderLines } from '@/entities/cart/order-lines';
import { orderQuery } from '@/entities/order/queries';
import { Disclosure } from '@/ui/disclosure';
import { Skeleton } from '@/ui/feedback/skeleton';
import { LoadFailed } from '../load-failed';
import { ordersReload } from '../queries';

/** The lines of an order, folded; they are loaded when opened for the first time. */
export function Composition({ orderId, count }: { orderId: number; count: number }) {
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  return (
    // Without a line below, because the order's buttons have a line above them.
    <div className="-mb-3 [&>details]:border-b-0">
      <Disclosure
        summary={<Trans id="profile.orders.what-is-in-it">What is in it</Trans>}
        end={<Plural id="common.items" value={count} one="# item" other="# items" />}
        open={isOpen}
        onToggle={(open) => {
          setOpen(open);
          if (open) setOpened(true);
        }}
      >
        {wasOpened && <Contents orderId={orderId} />}
      </Disclosure>
    </div>
  );
}

/** The lines and the prices of an order, which it loads. */
function Contents({ orderId }: { orderId: number }) {
  const {
    data: order,
    isFetching,
    refetch,
    isError,
  } = useQuery({
    ...orderQuery(orderId),
    // A correction changes the prices of an order that is on its way; its lines never change.
    staleTime: ({ state }) => (state.data?.status.final ? Number.POSITIVE_INFINITY : 0),
    refetchInterval: ({ state }) => !state.data?.status.final && ordersReload,
  });
  if (!order && isError) {
    return (
      <LoadFailed isBusy={isFetching} retry={() => void refetch()}>
        <Trans id="profile.orders.order-did-not-load">The order did not load.</Trans>
      </LoadFailed>
    );
  }
  if (!order) {
    return (
      <div aria-busy="true" className="flex flex-col gap-3">
        <Skeleton shape="line" count={3} />
      </div>
    );
  }
  const { cart } = order;
  return (
    <>
      <OrderLines products={cart.products} packages={cart.packages} gifts={cart.gifts} />
      <div className="mt-3 border-t border-line pt-3">
        <PriceRows
          prices={cart.prices}
          isDelivered={order.order_type === 'delivery'}
          promocode={cart.promocode}
        />
      </div>
    </>
  );
}
