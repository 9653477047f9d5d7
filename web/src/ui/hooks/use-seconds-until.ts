import { useEffect, useState } from 'react';

/**
 * Returns the whole seconds until a moment (milliseconds since 1970), counting down; 0 once it has
 * passed.
 */
export function useSecondsUntil(moment: number): number {
  const [now, setNow] = useState(() => Date.now());
  const isPast = now >= moment;
  useEffect(() => {
    setNow(Date.now());
    if (isPast) return;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [isPast]);
  return Math.max(0, Math.ceil((moment - now) / 1000));
}
