import type { Schema } from '@/api/types';

type Interval = Schema<'Interval'>;
type Intervals = Schema<'Intervals'>;

/** How many of the nearest times are offered at once; a phone has room for one less. */
export const nearestCount = 3;

/** Returns the nearest available times, at most `nearestCount`; a chosen time that is not among them comes first. */
export function nearestOf(intervals: readonly Interval[], chosen?: Interval): Interval[] {
  const free = intervals.filter(({ disabled }) => !disabled).slice(0, nearestCount);
  if (!chosen || free.some(({ id }) => id === chosen.id)) return free;
  return [chosen, ...free.slice(0, nearestCount - 1)];
}

/**
 * Replaces the chosen interval in the list by the cart's copy of it, because the cart's is the one that is
 * ordered. A list in which it is missing or disabled is returned as it is.
 */
export function withChosen(times: Intervals, chosen: Interval | undefined): Intervals {
  const isChosen = ({ id, disabled }: Interval) => id === chosen?.id && !disabled;
  if (!chosen || !times.intervals.some(isChosen)) return times;
  return { ...times, intervals: times.intervals.map((one) => (isChosen(one) ? chosen : one)) };
}

/**
 * Reports whether the cart's time is listed with another end, or is no longer available.
 * `requestedDate` is the day that the list was requested for.
 */
export function differsFromList(
  chosen: Interval | undefined,
  listed: Intervals,
  requestedDate: string | undefined,
): boolean {
  if (isGone(chosen, listed, requestedDate)) return true;
  const same = listed.intervals.find(({ id }) => id === chosen?.id);
  return same !== undefined && same.end_timestamp !== chosen?.end_timestamp;
}

/**
 * Reports whether the list shows that the chosen time is no longer available. `requestedDate` is the day
 * that the list was requested for. Without it the list is of the first day with a free time: all earlier
 * days are full.
 */
export function isGone(
  chosen: Interval | undefined,
  { date, date_today: today, intervals }: Intervals,
  requestedDate?: string,
): boolean {
  if (!chosen || intervals.some(({ id, disabled }) => id === chosen.id && !disabled)) return false;
  if (requestedDate === undefined) return chosen.asap === true || chosen.date_string <= date;
  return date === (chosen.asap ? today : chosen.date_string);
}

/** Returns the id of 'as soon as possible' when it is available. */
export function availableAsapId(intervals: readonly Interval[]): string | undefined {
  return intervals.find(({ asap, disabled }) => asap && !disabled)?.id;
}

/** Returns the time nearest to one that is gone: the next one, otherwise the last before it. */
export function nearestTo(
  gone: Pick<Interval, 'start_timestamp'>,
  intervals: readonly Interval[],
): Interval | undefined {
  const free = intervals.filter(({ disabled }) => !disabled);
  return free.find((one) => one.start_timestamp >= gone.start_timestamp) ?? free.at(-1);
}
