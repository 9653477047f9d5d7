/** How many milliseconds the server's clock was ahead of the device's at the last noted response. */
let lastAhead = 0;

/**
 * Returns how many milliseconds the server's clock is ahead of the device's, by the date of a response.
 * A difference up to three seconds counts as zero, because the response took time; so does a missing date.
 */
export function clockAhead({ headers }: Response): number {
  const ahead = Date.parse(headers.get('Date') ?? '') - Date.now();
  return Math.abs(ahead) > 3000 ? ahead : 0;
}

/** Stores the difference of the clocks. A response that the worker has stored has none: its date is an earlier one. */
export function noteServerClock(response: Response): void {
  if (!response.headers.has('X-Stored-At')) lastAhead = clockAhead(response);
}

/** Converts an instant of the server's clock to the device's clock, in milliseconds since 1970. */
export const onDeviceClock = (instant: string): number => Date.parse(instant) - lastAhead;

/** Converts an instant of the device's clock, by default now, to the server's clock, in milliseconds since 1970. */
export const onServerClock = (moment = Date.now()): number => moment + lastAhead;
