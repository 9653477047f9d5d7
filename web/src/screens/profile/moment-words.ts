import { useCity } from '@/entities/city/context';
import { useLanguage } from '@/i18n/use-language';
import { formatClock, formatDate, formatDayMonth, wallTime } from '@/lib/dates';

/** Writes an instant (RFC 3339) by the clock of the page's city: the day, with its year when that is another, and the time. */
export function useMomentWords(): (at: string) => string {
  const language = useLanguage();
  const { timezone } = useCity();
  return (at) => {
    const then = wallTime(at, timezone);
    const isThisYear = then.year === wallTime(Date.now(), timezone).year;
    const day = isThisYear ? formatDayMonth(then, language) : formatDate(then, language);
    return `${day}, ${formatClock(then)}`;
  };
}
