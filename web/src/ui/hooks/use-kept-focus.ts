import { type RefObject, useEffect, useRef } from 'react';

/**
 * Keeps the focus in `place` when a price button and a counter replace each other: the focus moves to the new
 * control if it was in the old control. Call the returned function before the change, with whether the new
 * control is a counter.
 */
export function useKeptFocus(
  place: RefObject<HTMLElement | null>,
  isCounting: boolean,
): (willCount: boolean) => void {
  const hadFocus = useRef(false);
  useEffect(() => {
    if (!hadFocus.current) return;
    hadFocus.current = false;
    if (document.activeElement !== document.body) return;
    // In a counter the last button, which adds, gets the focus.
    const next = isCounting ? 'button:last-of-type' : 'button';
    place.current?.querySelector<HTMLButtonElement>(next)?.focus();
  }, [isCounting, place]);
  return (willCount) => {
    const isInside = Boolean(place.current?.contains(document.activeElement));
    hadFocus.current = willCount !== isCounting && isInside;
  };
}
