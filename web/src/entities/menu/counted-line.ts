import type { ShownLine } from '@/entities/cart/changes';

/** Returns the lines of a cart by product. */
export function linesByProduct(lines: readonly ShownLine[]): Map<string, ShownLine[]> {
  const byProduct = new Map<string, ShownLine[]>();
  for (const line of lines) {
    const known = byProduct.get(line.productKey);
    if (known) known.push(line);
    else byProduct.set(line.productKey, [line]);
  }
  return byProduct;
}

/**
 * Returns the line that a product's counter changes, and its new count: the last of `lines`, or a new line without
 * modifiers. `next` is the new count of the product in all of its lines.
 */
export function countedLine(
  productKey: string,
  lines: readonly ShownLine[],
  next: number,
): { lineKey: string; count: number } {
  const last = lines.at(-1);
  if (!last) return { lineKey: productKey, count: next };
  const others = lines.reduce((sum, line) => sum + line.count, 0) - last.count;
  return { lineKey: last.key, count: Math.max(0, next - others) };
}
