import { QueryClient } from '@tanstack/react-query';
import { ApiFault } from '@/api/result';
import { citiesQuery, cityQuery, shopsQuery } from '@/entities/city/queries';
import { menuQuery } from '@/entities/menu/queries';
import { wordsQuery } from '@/entities/words/queries';
import type { PageData } from './page-data';

/** The kinds of failures after which a query is tried again. */
const worthRepeating = new Set(['offline', 'unavailable']);

/**
 * Returns a cache whose entries are fresh for a minute. A query is repeated twice when the network or the server
 * was not available; a mutation never.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 60_000,
        refetchOnWindowFocus: false,
        // The browser may be wrong about the network, and the worker answers without one.
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: (failures, error) =>
          failures < 2 && error instanceof ApiFault && worthRepeating.has(error.failure.kind),
      },
      // The caller of a mutation shows the failure.
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/**
 * Puts the data of the document into the cache, so that nothing is loaded twice. Data of a stale
 * document is loaded again at once, and shown until the answers come.
 */
export function seedQueries(client: QueryClient, data: PageData, isStale = false): void {
  // 1 ms after 1970: so old that the queries load the data again at once.
  const options = isStale ? { updatedAt: 1 } : undefined;
  client.setQueryData(citiesQuery().queryKey, data.cities, options);
  if (data.city) client.setQueryData(cityQuery(data.city.alias).queryKey, data.city, options);
  if (data.city && data.shops)
    client.setQueryData(shopsQuery(data.city.id).queryKey, data.shops, options);
  if (data.content) {
    const { queryKey } = wordsQuery(data.content.alias, data.city?.id);
    client.setQueryData(queryKey, data.content, options);
  }
  if (data.place && data.menu)
    client.setQueryData(menuQuery(data.place).queryKey, data.menu, options);
}
