/** The position of a group relative to the line under the sticky bar. */
export type Standing = 'above' | 'at' | 'below';

/** Returns the position of a group relative to a band of the screen, both in the same coordinates. */
export function standingIn(
  band: Pick<DOMRect, 'top' | 'bottom'>,
  group: Pick<DOMRect, 'top' | 'bottom'>,
): Standing {
  if (group.bottom <= band.top) return 'above';
  return group.top >= band.bottom ? 'below' : 'at';
}

/**
 * Returns the group that the visitor reads: the first one at the line, otherwise the last one above it; null
 * while all are below.
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
