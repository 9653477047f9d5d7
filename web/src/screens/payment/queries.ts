import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { ask } from '@/api/result';
import type { Schema } from '@/api/types';
import { type OrderPlace, toQuery } from '@/entities/place/place';
import { isFinal } from './machine';

/** How often the server is asked while nothing has just happened, in milliseconds (specification §9). */
export const pollTime = 5000;

/** How often it is asked while something has. */
export const quickPollTime = 1500;

/** How long what has just happened is looked for quickly, in milliseconds. */
export const freshTime = 20_000;

export const paymentKey = (cacheKey: string) => ['order', 'payment', cacheKey] as const;

/** How the paying of an order stands, and by how much the server's clock is ahead of the device's. */
export interface PaymentAsked {
  payment: Schema<'OrderPayment'>;
  /** Milliseconds. */
  clockAhead: number;
}

/** How the paying of an order stands; fails with `notFound` for whoever may not see it. */
export const paymentQuery = (cacheKey: string, isQuick: boolean) =>
  queryOptions({
    queryKey: paymentKey(cacheKey),
    queryFn: async ({ signal }): Promise<PaymentAsked> => {
      const params = { path: { order_cache_key: cacheKey } };
      const request = api.GET('/order-payment/{order_cache_key}', { params, signal });
      const { payment } = await ask(request);
      return { payment, clockAhead: clockAhead((await request).response) };
    },
    // The page has just asked when the part that asks again and again wakes up.
    staleTime: 1000,
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
    refetchInterval: ({ state: { data } }) => {
      const state = data?.payment.state;
      if (state === 'refunding') return pollTime;
      if (state && isFinal(state)) return false;
      return isQuick ? quickPollTime : pollTime;
    },
  });

/** A device's clock may be minutes wrong; a difference of seconds is the way of the answer. */
function clockAhead({ headers }: Response): number {
  const ahead = Date.parse(headers.get('Date') ?? '') - Date.now();
  return Math.abs(ahead) > 3000 ? ahead : 0;
}

/** What the page needs to take a way to pay. */
export const settingsQuery = (
  { order_type: orderType }: Schema<'OrderPayment'>,
  cityId: number,
  type: Schema<'PaymentTypeAlias'>,
) =>
  queryOptions({
    queryKey: ['payment-settings', cityId, orderType, type] as const,
    queryFn: ({ signal }) => {
      const body = {
        payment_type: type,
        city_id: cityId,
        is_delivery: orderType === 'delivery',
      };
      return ask(api.POST('/order/payment-settings', { body, signal }));
    },
  });

/** What an order from this place can be paid with when it is handed over. */
export const onReceiptQuery = (place: OrderPlace) =>
  queryOptions({
    queryKey: ['pay-on-receipt', place.cityId, place.orderType, place.shopId ?? null] as const,
    queryFn: async ({ signal }) => {
      const body = toQuery(place);
      const { payment_types: types } = await ask(api.POST('/user/payment-types', { body, signal }));
      return types.filter(({ is_online: isOnline }) => !isOnline);
    },
  });
