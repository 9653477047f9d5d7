/** A moment in the local time of a city. */
export interface WallTime {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  /** 0 is Sunday. */
  weekday: number;
  hour: number;
  minute: number;
}

/** The clock of a city: its hours from UTC (5.5 is allowed) today, and from certain instants on, in Unix seconds. */
export interface CityClock {
  timezone: number;
  clock_changes?: readonly { at: number; timezone: number }[];
}

/** Returns a moment in the local time of a city. `at` is an instant (milliseconds, Date or RFC 3339). */
export function wallTime(at: number | Date | string, city: CityClock): WallTime {
  const instant = new Date(at).getTime();
  const past = city.clock_changes?.filter((change) => change.at * 1000 <= instant);
  const { timezone } = past?.at(-1) ?? city;
  const shifted = new Date(instant + timezone * 3_600_000);
  return {
    year: shifted.getUTCFullYear(),
    month: shifted.getUTCMonth() + 1,
    day: shifted.getUTCDate(),
    weekday: shifted.getUTCDay(),
    hour: shifted.getUTCHours(),
    minute: shifted.getUTCMinutes(),
  };
}

/** Writes a number with at least two digits. */
export const twoDigits = (n: number) => String(n).padStart(2, '0');

/** Writes a time of day: `19:40`, the same in all languages of the page. */
export function formatClock({ hour, minute }: Pick<WallTime, 'hour' | 'minute'>): string {
  return `${twoDigits(hour)}:${twoDigits(minute)}`;
}

/** Writes minutes from midnight as a time of day. Minutes above 1440, of a night shift, are times of the next day. */
export function formatMinutes(minutes: number): string {
  return formatClock({ hour: Math.floor(minutes / 60) % 24, minute: minutes % 60 });
}
