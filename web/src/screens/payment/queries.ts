import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { fetchData } from '@/api/result';
import type { Schema } from '@/api/types';
import { paymentAnswerQuery, paymentTypesQuery } from '@/entities/payment-state/queries';
import type { OrderPlace } from '@/entities/place/place';
import { isFinal } from './machine';

/** How often the payment is polled usually, in milliseconds. */
export const pollTime = 5000;

/** How often the payment is polled right after an act of the visitor, in milliseconds. */
export const quickPollTime = 1500;

/** How long after an act of the visitor the payment is polled more often, in milliseconds. */
export const freshTime = 20_000;

/**
 * Returns the query of an order's payment, polled until its outcome is final; fails with `notFound` for anyone
 * who may not see it.
 */
export const paymentQuery = (cacheKey: string, { isQuick = false } = {}) =>
  queryOptions({
    ...paymentAnswerQuery(cacheKey),
    // When the polling part of the page mounts, the payment has just been loaded.
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

/** Returns the query of the acquirer's settings for a payment type: keys, scripts, whether there is a card form. */
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
      return fetchData(api.POST('/order/payment-settings', { body, signal }));
    },
  });

/** Returns the query of the payment types on receipt for an order from this place. */
export const onReceiptQuery = (place: OrderPlace) =>
  queryOptions({
    ...paymentTypesQuery(place),
    select: (types) => types.filter(({ is_online: isOnline }) => !isOnline),
  });
