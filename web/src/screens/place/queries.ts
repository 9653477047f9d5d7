import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { keys } from '@/api/keys';
import { fetchData } from '@/api/result';
import type { Target } from '@/entities/place-choice/choose';

/** The length of the shortest text for which addresses are suggested. */
export const shortestSuggested = 2;

/**
 * Returns the query of the addresses of a city that begin like the text, seven at most, or of the other city that
 * it names; disabled below two characters.
 */
export const suggestQuery = (cityId: number, text: string) =>
  queryOptions({
    queryKey: keys.suggestions(cityId, text.trim()),
    queryFn: ({ signal }) => {
      const body = { city_id: cityId, text: text.trim() };
      return fetchData(api.POST('/geocoder/suggest', { body, signal }));
    },
    enabled: text.trim().length >= shortestSuggested,
    // The list must not vanish between two letters.
    placeholderData: keepPreviousData,
    retry: false,
  });

/**
 * Returns the query that looks up an address or a point, and whether a shop delivers to it; disabled without a
 * target.
 */
export const checkQuery = (cityId: number, target: Target | null) =>
  queryOptions({
    queryKey: keys.addressCheck(cityId, target),
    queryFn: ({ signal }) => {
      if (target?.kind === 'point') {
        const { coordinates, address } = target;
        const body = { city_id: cityId, coordinates, address };
        return fetchData(api.POST('/geocoder/searchByCoordinates', { body, signal }));
      }
      const body = { city_id: cityId, address: target?.address ?? '' };
      return fetchData(api.POST('/geocoder/searchByAddress', { body, signal }));
    },
    enabled: target !== null,
    retry: false,
  });
