import { useEffect, useRef } from 'react';

/**
 * For the heading of what has taken the place of something else on the page: the focus goes there, so
 * that it is read. A field that is already at fault keeps it.
 */
export function usePanelFocus<E extends HTMLElement>(isNew: boolean) {
  const heading = useRef<E>(null);
  const wasNew = useRef(isNew);
  useEffect(() => {
    if (!wasNew.current || document.activeElement?.matches('input')) return;
    heading.current?.focus({ preventScroll: true });
  }, []);
  return heading;
}
