import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { ask } from '@/api/result';
import { type OrderPlace, toQuery } from '@/entities/place/place';

/** How an order can be paid at a place; the first is the default. */
export const paymentTypesQuery = (place: OrderPlace) =>
  queryOptions({
    queryKey: ['payment-types', place.cityId, place.orderType, place.shopId ?? null] as const,
    queryFn: async ({ signal }) =>
      (await ask(api.POST('/user/payment-types', { body: toQuery(place), signal }))).payment_types,
  });

/** The e-mail of the signed-in customer's profile, if it has one; kept where the profile keeps its data. */
export const ownEmailQuery = () =>
  queryOptions({
    queryKey: ['user', 'profile'] as const,
    queryFn: async ({ signal }) => (await ask(api.GET('/user/get', { signal }))).user,
    select: ({ email }) => email,
  });
