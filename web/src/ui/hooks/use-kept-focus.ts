import { type RefObject, useEffect, useRef } from 'react';

/**
 * Keeps the focus where a control takes another's place: the pressed button goes away and the focus
 * moves to the one that has come, unless it is elsewhere by now. Call what it returns before the change,
 * with whether a counter will stand there.
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
    // Of a counter the button that adds, which is its last.
    const next = isCounting ? 'button:last-of-type' : 'button';
    place.current?.querySelector<HTMLButtonElement>(next)?.focus();
  }, [isCounting, place]);
  return (willCount) => {
    const isInside = Boolean(place.current?.contains(document.activeElement));
    hadFocus.current = willCount !== isCounting && isInside;
  };
}
