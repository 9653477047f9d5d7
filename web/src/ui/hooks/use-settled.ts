import { useEffect, useState } from 'react';

/** The value, debounced: it follows once it stayed the same for `delay` milliseconds; the first one at once. */
export function useSettled<T>(value: T, delay: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return settled;
}
