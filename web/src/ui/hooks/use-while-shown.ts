import { useEffect, useRef } from 'react';

/**
 * Returns the function, which does nothing once the component has left the page: for what an answer that comes late
 * must not do to visitors who have gone on meanwhile.
 */
export function useWhileShown<Args extends unknown[]>(act: (...args: Args) => void) {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return (...args: Args) => {
    if (isShown.current) act(...args);
  };
}
