import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';

/** Begins a page that a link led to at its top. Back and Forward keep the place that the browser restores. */
export function useFreshPageAtTop(): void {
  const [location] = useLocation();
  const before = useRef(location);
  // Where Back or Forward led last. Closing a modal is a way back too, to the page one is on.
  const traversedTo = useRef<string>(undefined);
  useEffect(() => {
    const onPopState = () => {
      traversedTo.current = window.location.pathname;
    };
    addEventListener('popstate', onPopState);
    return () => removeEventListener('popstate', onPopState);
  }, []);
  useEffect(() => {
    if (before.current === location) return;
    before.current = location;
    const isTraversing = traversedTo.current === location;
    traversedTo.current = undefined;
    if (!isTraversing) scrollTo({ top: 0, behavior: 'instant' });
  }, [location]);
}
