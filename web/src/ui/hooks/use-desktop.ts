import { startTransition, useEffect, useState } from 'react';

const desktopWidth = '(min-width: 1024px)';

/** Reports whether the layout is the desktop's at this moment; works only in the browser. */
export const matchesDesktop = (): boolean => matchMedia(desktopWidth).matches;

/** Reports whether the layout is the desktop's; false until the component has hydrated. */
export function useDesktop(): boolean {
  const [isDesktop, setDesktop] = useState(false);
  useEffect(() => {
    const query = matchMedia(desktopWidth);
    // In a transition the old layout stays until the new one has loaded.
    const follow = () => startTransition(() => setDesktop(query.matches));
    follow();
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  return isDesktop;
}
