import { useEffect, useState } from 'react';

/** The end of the page is near when less than this is left below the screen, in CSS pixels. */
const near = 400;

/** Reports whether the visitor has scrolled at least one screen and is near the page's end. */
export function useNearEnd(): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const update = () => {
      const below = document.documentElement.scrollHeight - innerHeight - scrollY;
      setNear(scrollY > innerHeight && below < near);
    };
    update();
    addEventListener('scroll', update, { passive: true });
    return () => removeEventListener('scroll', update);
  }, []);
  return isNear;
}
