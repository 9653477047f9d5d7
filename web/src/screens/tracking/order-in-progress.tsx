import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { ChevronRight, ClipboardList } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { ApiFault } from '@/api/result';
import type { Schema } from '@/api/types';
import { useCart } from '@/entities/cart/queries';
import { readLastOrder, writeLastOrder } from '@/entities/order/last-order';
import { orderQuery, pollTime } from '@/entities/order/queries';
import { classes } from '@/ui/classes';
import { useHeightProperty } from '@/ui/hooks/use-height-property';
import { Icon } from '@/ui/icon';
import { useAnnouncedStatus } from './use-announced-status';

/**
 * The state of the order in progress, which leads to its page. It follows the order up to its last state, which it
 * still shows. Absent when the order was over before, and when this browser may not see it; then it stores that
 * there is nothing left to follow.
 */
export default function OrderInProgress({ orderId }: { orderId: number }) {
  const { data: order, error } = useQuery({
    ...orderQuery(orderId),
    // Hidden pages do not poll: TanStack Query pauses the interval there.
    refetchInterval: ({ state: { data } }) => (data && !data.status.final ? pollTime : false),
  });
  const [wasOpen, setWasOpen] = useState(false);
  const isFinal = order?.status.final;
  if (isFinal === false && !wasOpen) setWasOpen(true);
  const isUnknown = error instanceof ApiFault && error.failure.kind === 'notFound';
  useEffect(() => {
    if (isFinal || isUnknown) endLastOrder(orderId);
  }, [orderId, isFinal, isUnknown]);
  if (!order || !wasOpen || isUnknown) return null;
  return <Bar order={order} />;
}

/** The bar with the sentence that says how the order stands: on phones above the bars of the frame. */
function Bar({
  order: { order_id: orderId, city_alias: city, status },
}: {
  order: Schema<'Order'>;
}) {
  const { t } = useLingui();
  const { count } = useCart();
  const bar = useRef<HTMLElement>(null);
  useHeightProperty(bar, '--progress-height');
  useAnnouncedStatus(status);
  return (
    <section
      ref={bar}
      aria-label={t({ id: 'common.order-number', message: `Order no. ${orderId}` })}
      data-screen-only
      className={classes(
        'fixed-bar inset-x-0 z-40 px-bar pb-2 desktop:inset-be-0 desktop:max-w-md desktop:pb-4',
        count > 0 ? 'inset-be-(--cart-top)' : 'inset-be-[calc(3.5rem+env(safe-area-inset-bottom))]',
      )}
    >
      <Link
        href={`/${city}/order/${orderId}/tracking`}
        className="flex min-h-13 animate-[appear_var(--motion)_ease-out] items-center gap-3 rounded-control border border-line bg-surface px-4 py-2 text-ink shadow-high"
      >
        <span className="text-accent-ink">
          <Icon of={ClipboardList} />
        </span>
        <span className="line-clamp-2 min-w-0 text-note strong">{status.description}</span>
        <span className="ms-auto text-ink-soft">
          <Icon of={ChevronRight} size="small" />
        </span>
      </Link>
    </section>
  );
}

/** Stores that there is nothing left to follow of the last order. For another order it changes nothing. */
function endLastOrder(orderId: number): void {
  const order = readLastOrder();
  if (order?.orderId === orderId) writeLastOrder({ ...order, isOver: true });
}
