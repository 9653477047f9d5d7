import { useEffect, useSyncExternalStore } from 'react';
import type { Schema } from '@/api/types';
import { useCart } from '@/entities/cart/queries';
import { useSetInterval } from '@/entities/cart/set-interval';
import { createStore } from '@/lib/store';

type Interval = Schema<'Interval'>;

/** The time that was pressed last, until the server has answered. */
const pressed = createStore<Interval | undefined>(undefined);

/** Returns the time to show as chosen: the pressed one while the cart changes, otherwise that of the cart. */
export function useShownTime(): Interval | undefined {
  const { cart, isChanging } = useCart();
  const waiting = useSyncExternalStore(pressed.subscribe, pressed.get, () => undefined);
  useEffect(() => {
    if (!isChanging) pressed.set(undefined);
  }, [isChanging]);
  return (isChanging ? waiting : undefined) ?? cart?.interval;
}

/** Returns the function that chooses a time for the order; the time is shown as chosen at once. */
export function useChooseTime(): (interval: Interval) => void {
  const setInterval = useSetInterval();
  return (interval) => {
    pressed.set(interval);
    setInterval(interval.id);
  };
}
