import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { keys } from '@/api/keys';
import { fetchData } from '@/api/result';

/** A page of the brand's own words, in a city or outside of any. */
export const wordsQuery = (alias: string, cityId: number | undefined) =>
  queryOptions({
    queryKey: keys.words(alias, cityId),
    queryFn: async ({ signal }) => {
      const params = { path: { alias }, query: { city_id: cityId } };
      return (await fetchData(api.GET('/pages/{alias}', { params, signal }))).page;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
