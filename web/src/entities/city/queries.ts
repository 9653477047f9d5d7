import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { keys } from '@/api/keys';
import { fetchData } from '@/api/result';

/** All cities of the site. */
export const citiesQuery = () =>
  queryOptions({
    queryKey: keys.cities(),
    queryFn: ({ signal }) => fetchData(api.GET('/cities', { signal })),
  });

/** One city with its zones, promotions and settings. */
export const cityQuery = (alias: string) =>
  queryOptions({
    queryKey: keys.city(alias),
    queryFn: async ({ signal }) => {
      const params = { path: { alias } };
      return (await fetchData(api.GET('/cities/{alias}', { params, signal }))).city;
    },
  });

/** Streets for a map without tiles. */
export const streetsQuery = (alias: string) =>
  queryOptions({
    queryKey: keys.streets(alias),
    queryFn: async ({ signal }) => {
      const params = { path: { alias } };
      return (await fetchData(api.GET('/cities/{alias}/streets', { params, signal }))).streets;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The city's shops with their hours. */
export const shopsQuery = (cityId: number) =>
  queryOptions({
    queryKey: keys.shops(cityId),
    queryFn: async ({ signal }) => {
      const params = { query: { city_id: cityId } };
      return (await fetchData(api.GET('/shops', { params, signal }))).shops;
    },
  });
