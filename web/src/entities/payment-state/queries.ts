import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { ask } from '@/api/result';
import type { Schema } from '@/api/types';

/** How often is asked whether a waiting order was paid meanwhile, in milliseconds. */
const pollTime = 30_000;

/** How the paying of an order stands; asked again while it waits, and right after its time is over. */
export const orderPaymentQuery = (key: string) =>
  queryOptions({
    queryKey: ['order-payment-state', key] as const,
    queryFn: async ({ signal }) => {
      const params = { path: { order_cache_key: key } };
      return (await ask(api.GET('/order-payment/{order_cache_key}', { params, signal }))).payment;
    },
    staleTime: 0,
    refetchOnWindowFocus: true,
    // Hidden pages do not poll: TanStack Query pauses the interval there.
    refetchInterval: ({ state: { data } }) => (data && isWaiting(data) ? untilNext(data) : false),
  });

/** Whether the order still waits to be paid. */
export const isWaiting = ({ status }: Pick<Schema<'OrderPayment'>, 'status'>) =>
  status === 'waiting_for_payment';

function untilNext({ pay_until: until }: Schema<'OrderPayment'>): number {
  const left = Date.parse(until) - Date.now();
  return left > 0 ? Math.min(pollTime, left + 1000) : 5000;
}
