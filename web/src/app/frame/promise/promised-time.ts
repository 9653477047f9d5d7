import type { Schema } from '@/api/types';

type Interval = Schema<'Interval'>;

/** The promised time of an order. */
export type Promised =
  /** `from` and `to` are minutes from now. */
  { kind: 'minutes'; from: number; to: number } | { kind: 'time'; interval: Interval };

/** The longest wait in minutes that is shown as minutes; a longer one is shown as a time of day. */
const longestWait = 120;

/**
 * Returns the promised time of an order: the chosen interval, otherwise the first available one; undefined when
 * there is none. "As soon as possible" is promised in minutes, unless it is more than `longestWait` away.
 */
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
