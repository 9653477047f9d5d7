import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';

/** The element that holds the page and takes the focus with it. */
export const contentId = 'content';

/**
 * Scrolls to the top of a page that a link led to, and moves the focus to its content. Back and
 * Forward keep the place that the browser restores.
 */
export function useFreshPageAtTop(): void {
  const [location] = useLocation();
  const before = useRef(location);
  // Where Back or Forward led last. Closing a modal goes back too, but stays on the same page.
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
    if (isTraversing) return;
    scrollTo({ top: 0, behavior: 'instant' });
    document.getElementById(contentId)?.focus({ preventScroll: true });
  }, [location]);
}
