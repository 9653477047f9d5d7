import { type RefObject, useEffect, useRef } from 'react';

/**
 * Keeps the focus where one control replaces another: when the pressed button has gone, the focus
 * moves to the control that replaces it, unless something else has the focus. Call the returned
 * function before the change, with whether the new control is a counter.
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
    // In a counter that is the last button, which adds.
    const next = isCounting ? 'button:last-of-type' : 'button';
    place.current?.querySelector<HTMLButtonElement>(next)?.focus();
  }, [isCounting, place]);
  return (willCount) => {
    const isInside = Boolean(place.current?.contains(document.activeElement));
    hadFocus.current = willCount !== isCounting && isInside;
  };
}
