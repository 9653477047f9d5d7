import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';

/** The id of the element with the content of the page, which gets the focus of a new page. */
export const contentId = 'content';

/** The last page that Back or Forward led to. Closing a modal goes back too, but stays on the same page. */
let traversedTo: string | undefined;

if (typeof window !== 'undefined') {
  // Listens before the router does, which renders the other page while `popstate` is dispatched.
  addEventListener('popstate', () => {
    traversedTo = location.pathname;
  });
  // The browser restores the place of a document that is loaded again. From page to page it does so before the other
  // page is there, and keeps the footer where it was.
  addEventListener('pageshow', () => {
    history.scrollRestoration = 'manual';
  });
  addEventListener('pagehide', () => {
    history.scrollRestoration = 'auto';
  });
}

/**
 * Scrolls to the top of a page that a link led to, and moves the focus to its content. A page that Back or Forward
 * led to is scrolled to where it was left.
 */
export function usePageScroll(): void {
  const [path] = useLocation();
  const before = useRef(path);
  const tops = useRef(new Map<string, number>());
  useEffect(() => {
    const onScroll = () => {
      // While the next page loads, this page is still shown although the address is already that of the next.
      if (before.current === location.pathname) tops.current.set(before.current, scrollY);
    };
    addEventListener('scroll', onScroll, { passive: true });
    return () => removeEventListener('scroll', onScroll);
  }, []);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    const isTraversing = traversedTo === path;
    traversedTo = undefined;
    const top = isTraversing ? tops.current.get(path) : 0;
    if (top !== undefined) scrollTo({ top, behavior: 'instant' });
    if (!isTraversing) document.getElementById(contentId)?.focus({ preventScroll: true });
  }, [path]);
}
