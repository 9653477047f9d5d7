/** How long the choice of a place or a code waits for earlier changes of the cart, in milliseconds. */
export const longestWait = 15_000;

/**
 * Reports whether the server answers every change of the cart within `longest` milliseconds. `settle` is that of
 * useChangeCart; it goes on after a longer time.
 */
export function settlesWithin(settle: () => Promise<void>, longest: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), longest);
    void settle().then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
