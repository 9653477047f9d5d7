import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';

/** Begins a page that a link led to at its top. Back and Forward keep the place that the browser restores. */
export function useFreshPageAtTop(): void {
  const [location] = useLocation();
  const before = useRef(location);
  const isTraversing = useRef(false);
  useEffect(() => {
    const onPopState = () => {
      isTraversing.current = true;
    };
    addEventListener('popstate', onPopState);
    return () => removeEventListener('popstate', onPopState);
  }, []);
  useEffect(() => {
    const isOther = before.current !== location;
    before.current = location;
    if (isOther && !isTraversing.current) scrollTo({ top: 0, behavior: 'instant' });
    isTraversing.current = false;
  }, [location]);
}
