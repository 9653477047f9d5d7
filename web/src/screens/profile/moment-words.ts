import { onServerClock } from '@/api/server-clock';
import { useCity } from '@/entities/city/context';
import { useLanguage } from '@/i18n/use-language';
import { formatDate, formatDayMonth } from '@/lib/dates';
import { formatClock, wallTime } from '@/lib/wall-time';

/**
 * Returns a function that formats an instant (RFC 3339) in the city's time as day and time, with the year unless
 * it is this year.
 */
export function useMomentWords(): (at: string) => string {
  const language = useLanguage();
  const city = useCity();
  return (at) => {
    const then = wallTime(at, city);
    const isThisYear = then.year === wallTime(onServerClock(), city).year;
    const day = isThisYear ? formatDayMonth(then, language) : formatDate(then, language);
    return `${day}, ${formatClock(then)}`;
  };
}
