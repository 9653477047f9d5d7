import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { keys } from '@/api/keys';
import { fetchData } from '@/api/result';
import { noteServerClock } from '@/api/server-clock';
import type { Schema } from '@/api/types';
import { applyStatus, type CourierReport, laterReport, toCourierReport } from './order-state';

/** An order that this visitor may see; fails with `notFound` for every other. */
export const orderQuery = (orderId: number) =>
  queryOptions({
    queryKey: keys.order(orderId),
    queryFn: async ({ signal }) => {
      const params = { path: { id: orderId } };
      const request = api.GET('/order/{id}', { params, signal });
      const { order } = await fetchData(request);
      noteServerClock((await request).response);
      return order;
    },
  });

/**
 * Stores a newer status in the cached order, and loads the order again: its time, address, prices, courier or payment
 * may have changed with it, and only the order contains them. So does the courier's position: another courier has none
 * before their first report.
 */
export function storeStatus(
  client: QueryClient,
  orderId: number,
  status: Schema<'OrderStatus'>,
): void {
  client.setQueryData<Schema<'Order'>>(
    keys.order(orderId),
    (order) => order && applyStatus(order, status),
  );
  void client.invalidateQueries({ queryKey: keys.order(orderId), exact: true });
  void client.invalidateQueries({ queryKey: keys.courier(orderId) });
}

/** How often the order is polled while nothing is pushed, in milliseconds. */
export const pollTime = 30_000;

/** Polls the order while nothing is pushed. */
export const orderPoll = (orderId: number, enabled: boolean) => ({
  ...orderQuery(orderId),
  enabled,
  staleTime: 0,
  // Hidden pages do not poll: TanStack Query pauses the interval there.
  refetchInterval: pollTime,
});

/** Polls the position of the courier; null before the first report. */
export const courierPoll = (orderId: number, enabled: boolean) =>
  queryOptions({
    queryKey: keys.courier(orderId),
    queryFn: async ({ signal }) => {
      const params = { query: { order_id: orderId } };
      const { coordinates, ...way } = await fetchData(
        api.GET('/order-tracking/get-courier-location', { params, signal }),
      );
      return coordinates && way.reported_at ? toCourierReport(coordinates, way) : null;
    },
    enabled,
    staleTime: 0,
    refetchInterval: pollTime,
  });

/** Stores a report of the courier in the cache, unless that has a later one. */
export function storeReport(client: QueryClient, orderId: number, report: CourierReport): void {
  const queryKey = keys.courier(orderId);
  // An answer that is on its way may be older.
  void client.cancelQueries({ queryKey });
  client.setQueryData<CourierReport | null>(queryKey, (last) => laterReport(last, report));
}
