import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { keys } from '@/api/keys';
import { fetchData } from '@/api/result';

/** The addresses that this visitor has used, latest first. */
export const addressesQuery = () =>
  queryOptions({
    queryKey: keys.addresses(),
    queryFn: async ({ signal }) =>
      (await fetchData(api.GET('/user/addresses', { signal }))).delivery_addresses,
  });
