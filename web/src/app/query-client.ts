import { QueryClient } from '@tanstack/react-query';
import { ApiFault } from '@/api/result';
import { citiesQuery, cityQuery, shopsQuery } from '@/entities/city/queries';
import { menuQuery } from '@/entities/menu/queries';
import { wordsQuery } from '@/entities/words/queries';
import type { PageData } from './page-data';

const worthRepeating = new Set(['offline', 'unavailable']);

/** A cache that trusts an answer for a minute and repeats only what may succeed the next time. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 60_000,
        refetchOnWindowFocus: false,
        retry: (failures, error) =>
          failures < 2 && error instanceof ApiFault && worthRepeating.has(error.failure.kind),
      },
      // The browser may be wrong about the network: a failed call says so itself.
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/**
 * Puts what came with the document where the queries look for it, so that nothing is asked twice. Data
 * of a stale document is shown until the fresh answers come, which are asked for at once.
 */
export function seedQueries(client: QueryClient, data: PageData, isStale = false): void {
  // An age that makes the queries read it again at once.
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
