/** How many milliseconds the server's clock was ahead of the device's at the last noted response. */
let lastAhead = 0;

/**
 * Returns how many milliseconds the server's clock is ahead of the device's, by the date of a response.
 * A difference of a few seconds counts as zero: it is the time that the response took.
 */
export function clockAhead({ headers }: Response): number {
  const ahead = Date.parse(headers.get('Date') ?? '') - Date.now();
  return Math.abs(ahead) > 3000 ? ahead : 0;
}

/** Notes how the clocks differ. The response must come from the server, not from a cache. */
export function noteServerClock(response: Response): void {
  lastAhead = clockAhead(response);
}

/** Returns an instant of the server as the device's clock will show it, in milliseconds since 1970. */
export const onDeviceClock = (instant: string): number => Date.parse(instant) - lastAhead;
