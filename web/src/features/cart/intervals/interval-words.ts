import { useLingui } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import { useCity } from '@/features/city/context';
import { formatClock, wallTime } from '@/lib/dates';

interface Words {
  title: string;
  /** The clock of an 'as soon as possible'. */
  note?: string;
}

/** Writes a time: its title, and for the soonest one when that is. */
export function useIntervalWords(): (interval: Schema<'Interval'>) => Words {
  const { t } = useLingui();
  const { timezone } = useCity();
  return ({ title, asap, end_timestamp: end }) => {
    if (!asap) return { title };
    const clock = formatClock(wallTime(end * 1000, timezone));
    return { title, note: t`by ${clock}` };
  };
}
