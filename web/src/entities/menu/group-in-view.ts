/** Where a group stands to the line under the sticky bar. */
export type Standing = 'above' | 'at' | 'below';

/**
 * Which group the visitor reads: the first that the line crosses; between two groups the one that
 * just went by; none while all are still below.
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
