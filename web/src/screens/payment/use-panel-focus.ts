import { useEffect, useRef } from 'react';

/**
 * Returns the ref of what names a panel: its heading, or all of it where it has a label. When the panel has replaced
 * another, which `isNew` says at the first render, that gets the focus, so that it is read; a field that has the focus
 * already keeps it.
 */
export function usePanelFocus<E extends HTMLElement>(isNew: boolean) {
  const named = useRef<E>(null);
  const wasNew = useRef(isNew);
  useEffect(() => {
    if (!wasNew.current || document.activeElement?.matches('input')) return;
    named.current?.focus({ preventScroll: true });
  }, []);
  return named;
}
