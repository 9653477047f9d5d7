import type { Schema } from '@/api/types';

type Interval = Schema<'Interval'>;

/** What is promised of an order's time. */
export type Promised =
  /** From and to, in minutes from now. */
  { kind: 'minutes'; from: number; to: number } | { kind: 'time'; interval: Interval };

/** The longest wait in minutes that is shown as minutes; a longer one is shown as a time of day. */
const longestWait = 120;

/** Returns what is promised of an order: the time that was chosen for it, else the first that is available, if any. */
export function promisedTime(
  { now, intervals }: Schema<'Intervals'>,
  chosen: Interval | undefined,
): Promised | undefined {
  const interval = chosen ?? intervals.find(({ disabled }) => !disabled);
  if (!interval) return undefined;
  // Rounded up to five minutes, and never less than five.
  const minutesTo = (at: number) => Math.max(5, Math.ceil((at - now) / 60 / 5) * 5);
  const to = minutesTo(interval.end_timestamp);
  if (!interval.asap || to > longestWait) return { kind: 'time', interval };
  return { kind: 'minutes', from: minutesTo(interval.start_timestamp), to };
}
