import { formatClock, wallTime } from '@/lib/wall-time';
import { useCity } from './context';

/** Returns a function that formats a moment as local time of the city: `19:42`. */
export function useClockAt(): (moment: string) => string {
  const city = useCity();
  return (moment) => formatClock(wallTime(moment, city));
}
