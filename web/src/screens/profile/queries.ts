import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { keys } from '@/api/keys';
import { fetchData } from '@/api/result';

/** How often the list of orders is loaded again, in milliseconds. */
export const ordersReload = 120_000;

/** Returns the query of a page of the customer's orders, ten at most, the newest first. */
export const ordersQuery = (page: number) =>
  queryOptions({
    queryKey: keys.orders.page(page),
    queryFn: ({ signal }) =>
      fetchData(api.GET('/user/orders', { params: { query: { page } }, signal })),
    staleTime: 0,
    // A hidden page does not poll; it loads once when it is shown again.
    refetchInterval: ordersReload,
    refetchOnWindowFocus: true,
    placeholderData: keepPreviousData,
  });

/** Returns the query of the customer's bonuses and their history, for each currency. */
export const balanceQuery = () =>
  queryOptions({
    queryKey: keys.balance(),
    queryFn: async ({ signal }) => (await fetchData(api.GET('/user/balance', { signal }))).balances,
  });

/** Returns the query of the devices on which the customer is signed in, this browser first. */
export const devicesQuery = () =>
  queryOptions({
    queryKey: keys.devices(),
    queryFn: async ({ signal }) =>
      (await fetchData(api.GET('/user/sessions', { signal }))).sessions,
  });
