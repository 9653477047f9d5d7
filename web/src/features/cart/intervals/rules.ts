import type { Schema } from '@/api/types';

type Interval = Schema<'Interval'>;

/** How many of the nearest times are offered at once; a phone has room for one less. */
export const nearestCount = 3;

/** The nearest times that can be had, the chosen one among them wherever it stands. */
export function nearestOf(intervals: readonly Interval[], chosen?: Interval): Interval[] {
  const free = intervals.filter(({ disabled }) => !disabled).slice(0, nearestCount);
  if (!chosen || free.some(({ id }) => id === chosen.id)) return free;
  return [chosen, ...free.slice(0, nearestCount - 1)];
}

/** Whether the chosen time was one of the asked day and is not offered there any more. */
export function isGone(chosen: Interval | undefined, { date, intervals }: Schema<'Intervals'>) {
  if (!chosen || chosen.date_string !== date) return false;
  return !intervals.some(({ id }) => id === chosen.id);
}

/** The id of 'as soon as possible' when it can be had. */
export function soonestOf(intervals: readonly Interval[]): string | undefined {
  return intervals.find(({ asap, disabled }) => asap && !disabled)?.id;
}

/** The time that comes nearest to one that is gone: the next one, else the last before it. */
export function nearestTo(
  gone: Pick<Interval, 'start_timestamp'>,
  intervals: readonly Interval[],
): Interval | undefined {
  const free = intervals.filter(({ disabled }) => !disabled);
  return free.find((one) => one.start_timestamp >= gone.start_timestamp) ?? free.at(-1);
}
