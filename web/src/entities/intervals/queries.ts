import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { keys } from '@/api/keys';
import { fetchData } from '@/api/result';
import type { Schema } from '@/api/types';
import { type OrderPlace, toQuery } from '@/entities/place/place';
import { differsFromList } from './rules';

/** How often the times of today are loaded again, in milliseconds. */
export const intervalsRefresh = 60_000;

/** The facts that decide which times are offered. A fuller cart takes more of an interval than an emptier one. */
interface TimesKey {
  place: OrderPlace;
  /** The fingerprint of the cart. */
  cart: string | undefined;
  /** The id of the customer; a guest has none. */
  customer: number | undefined;
}

/**
 * The days ahead and the times of `date` (`YYYY-MM-DD`), or of the first day that has a time to choose.
 * It loads the cart again when the cart's time differs from the list.
 */
export const intervalsQuery = ({ place, cart, customer }: TimesKey, date?: string) => {
  const at = toQuery(place);
  return queryOptions({
    queryKey: keys.intervals.of({ place: at, date, cart, customer }),
    queryFn: async ({ client, signal }) => {
      const listed = await fetchData(
        api.POST('/schedule/intervals', { body: { ...at, date }, signal }),
      );
      const key = keys.cart(place.cityId);
      const chosen = client.getQueryData<Schema<'Cart'>>(key)?.interval;
      if (differsFromList(chosen, listed, date)) void client.invalidateQueries({ queryKey: key });
      return listed;
    },
    // An interval may fill up at any moment, so no answer is kept.
    staleTime: 0,
    gcTime: 0,
  });
};
