import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { keys } from '@/api/keys';
import { fetchData } from '@/api/result';
import { noteServerClock } from '@/api/server-clock';
import type { Schema } from '@/api/types';
import { applyStatus, toCourierReport } from './order-state';

/** An order that this visitor may see; fails with `notFound` for every other. */
export const orderQuery = (orderId: number) =>
  queryOptions({
    queryKey: keys.order(orderId),
    queryFn: async ({ signal }) => {
      const params = { path: { id: orderId } };
      return (await fetchData(api.GET('/order/{id}', { params, signal }))).order;
    },
  });

/** Stores a newer status in the cached order, and loads the order again when its payment may have changed. */
export function storeStatus(
  client: QueryClient,
  orderId: number,
  status: Schema<'OrderStatus'>,
): void {
  const before = client.getQueryData<Schema<'Order'>>(keys.order(orderId));
  client.setQueryData<Schema<'Order'>>(
    keys.order(orderId),
    (order) => order && applyStatus(order, status),
  );
  // The state of its payment may have changed too, and only the order contains it.
  if (before?.payment && before.status.alias !== status.alias)
    void client.invalidateQueries({ queryKey: keys.order(orderId), exact: true });
}

/** How often the order is polled while nothing is pushed, in milliseconds. */
export const pollTime = 30_000;

/** Polls the status while nothing is pushed, and stores it in the cached order. */
export const statusPoll = (orderId: number, enabled: boolean) =>
  queryOptions({
    queryKey: keys.orderStatus(orderId),
    queryFn: async ({ client, signal }) => {
      const body = { order_id: orderId };
      const request = api.POST('/order/status', { body, signal });
      const { status } = await fetchData(request);
      noteServerClock((await request).response);
      storeStatus(client, orderId, status);
      return status.alias;
    },
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
