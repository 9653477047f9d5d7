/** Milliseconds by which the server's clock was ahead of the device's at the last answer that was noted. */
let lastAhead = 0;

/**
 * Returns by how many milliseconds the server's clock is ahead of the device's, which may be minutes
 * wrong. A difference of a few seconds counts as none: it is the time that the answer has taken.
 */
export function clockAhead({ headers }: Response): number {
  const ahead = Date.parse(headers.get('Date') ?? '') - Date.now();
  return Math.abs(ahead) > 3000 ? ahead : 0;
}

/** Notes how the clocks differ by an answer that came from the server, not from a cache. */
export function noteServerClock(response: Response): void {
  lastAhead = clockAhead(response);
}

/** Returns an instant of the server as the device's clock will show it, in milliseconds since 1970. */
export const onDeviceClock = (instant: string): number => Date.parse(instant) - lastAhead;
