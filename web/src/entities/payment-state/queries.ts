import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { keys } from '@/api/keys';
import { fetchData } from '@/api/result';
import { clockAhead, noteServerClock, onDeviceClock } from '@/api/server-clock';
import type { Schema } from '@/api/types';
import { type OrderPlace, toQuery } from '@/entities/place/place';

/** The longest pause between two reads of a waiting payment, in milliseconds. */
const pollTime = 30_000;

/** The state of an order's payment, and by how much the server's clock is ahead of the device's. */
export interface PaymentAnswer {
  payment: Schema<'OrderPayment'>;
  /** Milliseconds. */
  clockAhead: number;
}

/** The state of the payment of an order; fails with `notFound` for anyone who may not see it. */
export const paymentAnswerQuery = (orderKey: string) =>
  queryOptions({
    queryKey: keys.orderPayment(orderKey),
    queryFn: async ({ signal }): Promise<PaymentAnswer> => {
      const params = { path: { order_cache_key: orderKey } };
      const request = api.GET('/order-payment/{order_cache_key}', { params, signal });
      const { payment } = await fetchData(request);
      const { response } = await request;
      noteServerClock(response);
      return { payment, clockAhead: clockAhead(response) };
    },
  });

/** The payment alone. It is read again while the order waits, and right after its deadline. */
export const orderPaymentQuery = (orderKey: string) =>
  queryOptions({
    ...paymentAnswerQuery(orderKey),
    select: ({ payment }) => payment,
    staleTime: 0,
    refetchOnWindowFocus: true,
    // Hidden pages do not poll: TanStack Query pauses the interval there.
    refetchInterval: ({ state: { data } }) =>
      data && isWaiting(data.payment) ? nextReadDelay(data.payment) : false,
  });

/** The payment types of a place; the first is the default. */
export const paymentTypesQuery = (place: OrderPlace) =>
  queryOptions({
    queryKey: keys.paymentTypes(toQuery(place)),
    queryFn: async ({ signal }) =>
      (await fetchData(api.POST('/user/payment-types', { body: toQuery(place), signal })))
        .payment_types,
  });

/** Reports whether the order still waits to be paid. */
export const isWaiting = ({ status }: Pick<Schema<'OrderPayment'>, 'status'>) =>
  status === 'waiting_for_payment';

/**
 * Returns the milliseconds until the payment is read again: half a minute, or less so that it is read a second
 * after its deadline. After the deadline it is read every five seconds.
 */
function nextReadDelay({ pay_until: until }: Schema<'OrderPayment'>): number {
  const left = onDeviceClock(until) - Date.now();
  return left > 0 ? Math.min(pollTime, left + 1000) : 5000;
}
