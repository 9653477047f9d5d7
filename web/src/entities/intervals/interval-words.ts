import { useLingui } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import { useCity } from '@/entities/city/context';
import { useOrderType } from '@/entities/place/place';
import { formatClock, wallTime } from '@/lib/wall-time';

type Interval = Schema<'Interval'>;

interface Words {
  /** Without the day: `19:30–20:00`, `As soon as possible`. */
  title: string;
  /** The day, when it is not today; for "as soon as possible", the latest time, or from when it can be picked up. */
  note: string | undefined;
  /** Day and time in one line: `tomorrow, 19:30–20:00`, `by 19:40`. */
  line: string;
  /** A name for the middle of a sentence: `19:30–20:00 (tomorrow)`. */
  name: string;
  /** The earliest time, or the note of "as soon as possible", in few words: `tomorrow from 19:30`. */
  brief: string;
}

/** Returns a function that formats an interval in several forms. */
export function useIntervalWords(): (interval: Interval) => Words {
  const { t } = useLingui();
  const city = useCity();
  const isDelivery = useOrderType() === 'delivery';
  const dayWords = useDayWords();
  const clockAt = (seconds: number) => formatClock(wallTime(seconds * 1000, city));
  return (interval) => {
    const { title, asap, start_timestamp: start, end_timestamp: end } = interval;
    const { day, date } = dayWords(interval);
    const clock = clockAt(asap ? end : start);
    const time =
      asap && isDelivery
        ? t({ id: 'intervals.interval.by', message: `by ${clock}` })
        : t({ id: 'intervals.interval.from', message: `from ${clock}` });
    const brief = date ? `${date} ${time}` : time;
    if (asap) return { title, note: brief, line: brief, name: title, brief };
    return {
      title,
      note: day,
      line: day ? `${day}, ${title}` : title,
      name: day ? `${title} (${day})` : title,
      brief,
    };
  };
}

type Day = Pick<Interval, 'is_today' | 'is_tomorrow' | 'day_name' | 'formatted_string'>;

/** Returns a function that names a day: `day` with the day of the week, `date` without it; neither for today. */
export function useDayWords(): (day: Day) => { day?: string; date?: string } {
  const { t } = useLingui();
  return ({ is_today, is_tomorrow, day_name: name, formatted_string: date }) => {
    if (is_today) return {};
    const tomorrow = t({ id: 'intervals.interval.tomorrow', message: 'tomorrow' });
    return is_tomorrow ? { day: tomorrow, date: tomorrow } : { day: `${name}, ${date}`, date };
  };
}
