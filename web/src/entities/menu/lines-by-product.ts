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
