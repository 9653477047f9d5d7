import { useEffect, useState } from 'react';

/**
 * Returns the value, debounced: a new value is returned once it has stayed the same for `delay`
 * milliseconds; the first value at once.
 */
export function useSettled<T>(value: T, delay: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return settled;
}
