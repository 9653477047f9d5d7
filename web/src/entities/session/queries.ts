import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { keys } from '@/api/keys';
import { fetchData } from '@/api/result';

/** The customer's profile; fails with `unauthenticated` once the session has ended. */
export const userQuery = () =>
  queryOptions({
    queryKey: keys.profile(),
    queryFn: async ({ signal }) => (await fetchData(api.GET('/user/get', { signal }))).user,
  });
