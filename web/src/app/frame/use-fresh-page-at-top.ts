import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';

/** The id of the element with the content of the page, which gets the focus of a new page. */
export const contentId = 'content';

/**
 * Scrolls to the top of a page that a link led to, and moves the focus to its content. Back and
 * Forward keep the place that the browser restores.
 */
export function useFreshPageAtTop(): void {
  const [location] = useLocation();
  const before = useRef(location);
  // The last page that Back or Forward led to. Closing a modal goes back too, but stays on the same page.
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
