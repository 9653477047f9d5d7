import type { IdempotencyHeader } from '@/api/idempotency';
import type { Schema } from '@/api/types';

type Cart = Schema<'Cart'>;
type Key = Schema<'ProductKey'>;
type Chosen = Schema<'ChosenModifier'>;

/** A change of one line by the visitor that the server has not confirmed yet. */
export interface Change {
  lineKey: Key;
  productKey: Key;
  modifiers: readonly Chosen[];
  /** Portions added, or removed when negative; `all` removes the line, whatever its count. */
  delta: number | 'all';
}

/** A change with the place at which it was made. */
export interface PlacedChange extends Change {
  place: Schema<'Place'>;
  /** The header of the call that sends it; absent until it was posted. */
  header?: IdempotencyHeader;
}

/** A line as the visitor sees it: the server's with the visitor's own changes on top. */
export interface ShownLine {
  key: Key;
  productKey: Key;
  modifiers: readonly Chosen[];
  count: number;
  /** Lines are sorted by this time; absent while the server has not sent it. */
  addedAt?: string;
  /** The server's line; absent until the server has confirmed the line. */
  line?: Schema<'CartProduct'>;
  /** Whether the server still has to confirm the count. */
  isPending: boolean;
}

/**
 * The times that replace the server's for restored lines, so that they keep their former positions; by name of
 * the line.
 */
export type KeptPositions = ReadonlyMap<string, string>;

/**
 * Returns the cart's lines with the changes applied, in the order they were added. Lines without portions are
 * left out.
 */
export function showLines(
  cart: Cart | undefined,
  changes: readonly Change[],
  positions: KeptPositions = new Map(),
): ShownLine[] {
  const shown = new Map<Key, ShownLine>();
  for (const line of Object.values(cart?.products ?? {})) {
    const { key, product_key: productKey, count } = line;
    const identity = { key, productKey, modifiers: toChosen(line) };
    const addedAt = positions.get(nameOf(identity)) ?? line.added_at;
    shown.set(key, { ...identity, count, addedAt, line, isPending: false });
  }
  for (const change of changes) {
    const { productKey, modifiers, delta } = change;
    const key = lineKeyNow(cart, change);
    const before = shown.get(key);
    const count = delta === 'all' ? 0 : Math.max(0, (before?.count ?? 0) + delta);
    const addedAt = before?.addedAt ?? positions.get(nameOf(change));
    const line = before?.line;
    shown.set(key, { key, productKey, modifiers, count, addedAt, line, isPending: true });
  }
  return [...shown.values()].filter((line) => line.count > 0).sort(byTime);
}

/** Returns a name of a line that stays the same when the server assigns the line its key. */
export const nameOf = ({ productKey, modifiers }: Pick<Change, 'productKey' | 'modifiers'>) =>
  `${productKey}:${signature(modifiers)}`;

/** Returns how many portions of a product are in the lines together, whatever its modifiers. */
export const countOf = (lines: readonly ShownLine[], productKey: Key): number =>
  sumCounts(lines.filter((line) => line.productKey === productKey));

/** Returns how many portions are in the lines together. */
export const sumCounts = (lines: readonly ShownLine[]): number =>
  lines.reduce((sum, line) => sum + line.count, 0);

/**
 * Returns the key of the line that a product with these modifiers goes to: the server's key when the
 * line is in the cart, otherwise one of our own until the server has assigned a key.
 */
export function lineKeyOf(
  cart: Cart | undefined,
  productKey: Key,
  modifiers: readonly Chosen[],
): Key {
  if (modifiers.length === 0) return productKey;
  const wanted = signature(modifiers);
  const same = Object.values(cart?.products ?? {}).find(
    (line) => line.product_key === productKey && signature(line.modifiers) === wanted,
  );
  return same?.key ?? `${productKey}~new:${wanted}`;
}

/** Returns the current key of a changed line: the server may have assigned one since the change. */
export const lineKeyNow = (cart: Cart | undefined, { lineKey, productKey, modifiers }: Change) =>
  cart?.products[lineKey] ? lineKey : lineKeyOf(cart, productKey, modifiers);

/**
 * Returns the waiting changes with another one. Changes of one line are summed, and a sum of zero is left out.
 * When one of the two is a removal, the new change replaces the waiting one.
 */
export function mergeChange<T extends Change>(waiting: readonly T[], change: T): T[] {
  const before = waiting.find((other) => other.lineKey === change.lineKey);
  const others = waiting.filter((other) => other !== before);
  if (before?.delta === 'all' || change.delta === 'all') return [...others, change];
  const delta = (before?.delta ?? 0) + change.delta;
  return delta === 0 ? others : [...others, { ...change, delta }];
}

const toChosen = (line: Schema<'CartProduct'>): Chosen[] =>
  line.modifiers.map(({ id, group_id, count }) => ({ id, group_id, count }));

/** Orders lines by the time at which they were added; those that the server has not confirmed come last. */
function byTime({ addedAt: a }: ShownLine, { addedAt: b }: ShownLine): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
  return a < b ? -1 : 1;
}

/** Returns the same text for equal choices of modifiers, whatever their order. */
const signature = (modifiers: readonly Chosen[]) =>
  modifiers
    .filter((modifier) => modifier.count > 0)
    .map(({ id, group_id, count }) => `${group_id ?? 0}.${id}x${count}`)
    .sort()
    .join(',');
