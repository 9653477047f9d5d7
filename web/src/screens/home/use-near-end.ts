import { useEffect, useState } from 'react';

/** How much of the page is left below the screen where its end is near, in CSS pixels. */
const near = 400;

/** Reports whether the visitor has scrolled by a screen at least and is near the page's end. */
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
