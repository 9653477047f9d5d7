import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { ask } from '@/api/result';
import { type OrderPlace, toQuery } from '@/features/city/place';

/** How often the times of today are asked for again, in milliseconds. */
export const intervalsRefresh = 60_000;

/** The days ahead and the times of one of them (`YYYY-MM-DD`); without a date, of the first. */
export const intervalsQuery = (place: OrderPlace, date?: string) => {
  const at = toQuery(place);
  return queryOptions({
    queryKey: ['intervals', at, date ?? null] as const,
    queryFn: ({ signal }) =>
      ask(api.POST('/schedule/intervals', { body: { ...at, date }, signal })),
    // A slot fills up while one looks at it: an answer is good for this view only.
    staleTime: 0,
    refetchInterval: intervalsRefresh,
  });
};
