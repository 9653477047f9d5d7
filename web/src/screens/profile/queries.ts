import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { ask } from '@/api/result';

/** The customer's profile; fails with `unauthenticated` once the session has ended. */
export const userQuery = () =>
  queryOptions({
    queryKey: ['user', 'profile'] as const,
    queryFn: async ({ signal }) => (await ask(api.GET('/user/get', { signal }))).user,
  });

/** How often the list of orders is read again, in milliseconds. */
const ordersReload = 120_000;

/** Every page of the list, for when one of its orders has changed. */
export const ordersKey = ['user', 'orders'] as const;

/** Ten of the customer's orders, the newest first. */
export const ordersQuery = (page: number) =>
  queryOptions({
    queryKey: [...ordersKey, page] as const,
    queryFn: ({ signal }) => ask(api.GET('/user/orders', { params: { query: { page } }, signal })),
    staleTime: 0,
    // A hidden page does not ask; it asks once when it is looked at again.
    refetchInterval: ordersReload,
    refetchOnWindowFocus: true,
    placeholderData: keepPreviousData,
  });

/** What the customer has in bonuses and how that came, for each currency. */
export const balanceQuery = () =>
  queryOptions({
    queryKey: ['user', 'balance'] as const,
    queryFn: async ({ signal }) => (await ask(api.GET('/user/balance', { signal }))).balances,
  });

/** Where the customer is signed in, this browser first. */
export const devicesQuery = () =>
  queryOptions({
    queryKey: ['user', 'devices'] as const,
    queryFn: async ({ signal }) => (await ask(api.GET('/user/sessions', { signal }))).sessions,
  });
