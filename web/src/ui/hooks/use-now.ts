import { useEffect, useState } from 'react';

/** How often the time is updated, in milliseconds. */
const tick = 15_000;

/** Returns the time in milliseconds since 1970, updated every 15 s while `isOn`. */
export function useNow(isOn: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => setNow(Date.now()), tick);
    return () => clearInterval(timer);
  }, [isOn]);
  return now;
}
