/** The position of a group relative to the line under the sticky bar. */
export type Standing = 'above' | 'at' | 'below';

/** Returns the position of a group relative to the band of the screen that is read. */
export function standingIn(
  band: Pick<DOMRect, 'top' | 'bottom'>,
  group: Pick<DOMRect, 'top' | 'bottom'>,
): Standing {
  if (group.bottom <= band.top) return 'above';
  return group.top >= band.bottom ? 'below' : 'at';
}

/**
 * Returns which group the visitor reads: the first that the line under the sticky bar crosses;
 * between two groups the one above the line; none while all are still below it.
 */
export function groupInView(
  order: readonly string[],
  standings: ReadonlyMap<string, Standing>,
): string | null {
  let passed: string | null = null;
  for (const alias of order) {
    const standing = standings.get(alias);
    if (standing === 'at') return alias;
    if (standing === 'above') passed = alias;
  }
  return passed;
}
