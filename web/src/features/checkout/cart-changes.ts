import type { Schema } from '@/api/types';

type Cart = Schema<'Cart'>;

/** What of the order is not as the customer saw it. */
export interface CartChange {
  name: string;
  kind: 'gone' | 'unavailable' | 'price' | 'count';
  before: number;
  after: number;
}

export interface CartChanges {
  lines: CartChange[];
  /** Only when it is another one. */
  delivery?: { before: number; after: number };
  total: { before: number; after: number };
}

const isSold = (type: Schema<'ProductType'>) => type === 'default' || type === 'related';

/** Compares the cart that the customer agreed to with the fresh one. */
export function compareCarts(seen: Cart, fresh: Cart): CartChanges {
  const lines = Object.values(seen.products).flatMap((line): CartChange[] => {
    const now = fresh.products[line.key];
    const { name } = line;
    if (!now) return [{ name, kind: 'gone', before: line.count, after: 0 }];
    if (isSold(line.type) && !isSold(now.type)) {
      return [{ name, kind: 'unavailable', before: line.count, after: 0 }];
    }
    if (now.price_with_modifiers !== line.price_with_modifiers) {
      const [before, after] = [line.price_with_modifiers, now.price_with_modifiers];
      return [{ name, kind: 'price', before, after }];
    }
    if (now.count !== line.count) {
      return [{ name, kind: 'count', before: line.count, after: now.count }];
    }
    return [];
  });
  const [before, after] = [seen.prices.delivery, fresh.prices.delivery];
  return {
    lines,
    ...(before !== after && { delivery: { before, after } }),
    total: { before: seen.prices.total, after: fresh.prices.total },
  };
}
