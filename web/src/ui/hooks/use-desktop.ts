import { startTransition, useEffect, useState } from 'react';

const desktopWidth = '(min-width: 1024px)';

/** Whether the layout is the desktop's at this moment; for the browser alone. */
export const matchesDesktop = (): boolean => matchMedia(desktopWidth).matches;

/** Whether the layout is the desktop's: false until it has hydrated, and then what the browser says. */
export function useDesktop(): boolean {
  const [isDesktop, setDesktop] = useState(false);
  useEffect(() => {
    const query = matchMedia(desktopWidth);
    // In a transition what is shown stays until what takes its place has loaded.
    const follow = () => startTransition(() => setDesktop(query.matches));
    follow();
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  return isDesktop;
}
