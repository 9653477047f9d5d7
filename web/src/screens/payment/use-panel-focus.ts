import { useEffect, useRef } from 'react';

/**
 * Returns the ref of a panel's heading. When the panel has replaced another, which `isNew` says at the first
 * render, the heading gets the focus, so that it is read; a field that has the focus already keeps it.
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
