import { matchQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { keys } from '@/api/keys';
import type { Schema } from '@/api/types';
import { useCart } from '@/entities/cart/queries';
import { isPlaceChosen, toQuery, usePlace } from '@/entities/place/place';
import { useUser } from '@/entities/session/session';
import { useSettled } from '@/ui/hooks/use-settled';
import { intervalsQuery, intervalsRefresh } from './queries';
import { withChosen } from './rules';

/** How many milliseconds the cart must stay unchanged before its times are loaded again. */
const cartDelay = 1000;

interface TimesOptions {
  /** The day, `YYYY-MM-DD`. */
  date?: string;
  /** In milliseconds. */
  refetchInterval?: number;
}

interface Times {
  /** The times for the cart, the chosen one as the cart has it; undefined until they are loaded. */
  times: Schema<'Intervals'> | undefined;
  /** The time that the customer has chosen. */
  chosen: Schema<'Interval'> | undefined;
  /** Whether the first times are on their way; false without a network. */
  isLoading: boolean;
  /** Whether the times are still those of an earlier cart; they must be shown as outdated. */
  isChanging: boolean;
  error: Error | null;
  retry: () => void;
}

/**
 * Loads and returns the times of a day for the customer's cart; without a date, of the first day with an
 * available time. Every component that shows a time uses it.
 */
export function useTimes({ date, refetchInterval = intervalsRefresh }: TimesOptions = {}): Times {
  const place = usePlace();
  const { cart, isChanging } = useCart();
  const { user } = useUser();
  const chosen = cart?.interval;
  const timesKey = { place, cart: cart?.fingerprint, customer: user?.id };
  const wanted = cart && JSON.stringify([toQuery(place), timesKey.cart, timesKey.customer]);
  const settled = useSettled(wanted, cartDelay);
  // The first times are loaded at once, without the delay.
  const isUnchanged = settled === undefined || settled === wanted;
  const asked = intervalsQuery(timesKey, date);
  const view = keys.intervals.view({ place: toQuery(place), date });
  const query = useQuery({
    ...asked,
    enabled: wanted !== undefined && isPlaceChosen(place) && !isChanging && isUnchanged,
    refetchInterval,
    // Until the answer comes, the times of the same place and day for an earlier cart are shown.
    placeholderData: (before, query) =>
      query && matchQuery({ queryKey: view }, query) ? before : undefined,
  });
  const { data, error, isLoading, isPlaceholderData, refetch } = query;
  const times = useMemo(() => data && withChosen(data, chosen), [data, chosen]);
  return {
    times,
    chosen,
    isLoading,
    isChanging: isChanging || isPlaceholderData,
    error: data ? null : error,
    retry: () => void refetch(),
  };
}
