import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiFault } from '@/api/result';
import type { Schema } from '@/api/types';
import { isWaiting, orderPaymentQuery } from './queries';
import { readUnpaidOrder, removeUnpaidOrder, settleUnpaid, type UnpaidOrder } from './unpaid-order';

/** The order that this device sent to payment last, and its payment. */
export interface UnpaidAnswer {
  /** Whether the payment is still being loaded. */
  isLoading: boolean;
  /** Absent when no order was sent to payment. */
  order?: UnpaidOrder;
  /** The state of its payment; absent when it could not be loaded. */
  payment?: Schema<'OrderPayment'>;
}

/**
 * Loads and returns the order that was sent to payment last; with `settled` also when it no longer waits. It
 * stores when the order no longer waits, and removes an order that the server does not have.
 */
export function useUnpaidOrder({ settled = false } = {}): UnpaidAnswer {
  // The server's document is made without the device's data.
  const [order, setOrder] = useState<UnpaidOrder | null>();
  useEffect(() => {
    const update = () => {
      const known = readUnpaidOrder();
      setOrder(known && (settled || !known.isOver) ? known : null);
    };
    update();
    // Back may show the page as it was before the order was sent.
    addEventListener('pageshow', update);
    return () => removeEventListener('pageshow', update);
  }, [settled]);
  const { data, error, isLoading } = useQuery({
    ...orderPaymentQuery(order?.key ?? ''),
    enabled: Boolean(order),
  });
  const isGone = error instanceof ApiFault && error.failure.kind === 'notFound';
  const isOver = data !== undefined && !isWaiting(data);
  const orderId = order?.orderId;
  const isPaid = data?.state === 'paid';
  useEffect(() => {
    if (isGone) removeUnpaidOrder();
    else if (orderId !== undefined && isOver) settleUnpaid(orderId, { isPaid });
  }, [orderId, isGone, isOver, isPaid]);
  return {
    isLoading: order === undefined || isLoading,
    order: order && !isGone ? order : undefined,
    payment: isGone ? undefined : data,
  };
}
