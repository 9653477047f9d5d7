import { formatClock, wallTime } from '@/lib/dates';
import { useCity } from './context';

/** Returns a function that writes a moment as the clock of the city shows it: `19:42`. */
export function useClockAt(): (moment: string) => string {
  const { timezone } = useCity();
  return (moment) => formatClock(wallTime(moment, timezone));
}
