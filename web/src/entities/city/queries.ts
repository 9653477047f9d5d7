import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { ask } from '@/api/result';

export const cityKey = (alias: string) => ['city', alias] as const;

/** All cities of the site. */
export const citiesQuery = () =>
  queryOptions({
    queryKey: ['cities'] as const,
    queryFn: ({ signal }) => ask(api.GET('/cities', { signal })),
  });

/** One city with its zones, promotions and settings. */
export const cityQuery = (alias: string) =>
  queryOptions({
    queryKey: cityKey(alias),
    queryFn: async ({ signal }) => {
      const params = { path: { alias } };
      return (await ask(api.GET('/cities/{alias}', { params, signal }))).city;
    },
  });

/** Streets for a map without tiles. */
export const streetsQuery = (alias: string) =>
  queryOptions({
    queryKey: ['streets', alias] as const,
    queryFn: async ({ signal }) => {
      const params = { path: { alias } };
      return (await ask(api.GET('/cities/{alias}/streets', { params, signal }))).streets;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The city's shops with their hours. */
export const shopsQuery = (cityId: number) =>
  queryOptions({
    queryKey: ['shops', cityId] as const,
    queryFn: async ({ signal }) => {
      const params = { query: { city_id: cityId } };
      return (await ask(api.GET('/shops', { params, signal }))).shops;
    },
  });
