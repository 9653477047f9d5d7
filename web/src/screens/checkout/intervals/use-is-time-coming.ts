import { availableAsapId } from '@/entities/intervals/rules';
import { useTimes } from '@/entities/intervals/use-times';

/**
 * Reports whether the soonest time is about to be chosen by itself: no time is chosen, and the times are being loaded
 * or that choice is on its way to the server.
 */
export function useIsTimeComing(): boolean {
  const { times, chosen, isLoading, isChanging } = useTimes();
  if (chosen) return false;
  return isLoading || (isChanging && availableAsapId(times?.intervals ?? []) !== undefined);
}
