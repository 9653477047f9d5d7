/**
 * Returns the item that a key leads to, in a list whose first item is the search field: the arrows to
 * the neighbour, Home and End from a row to the first and the last row. Undefined for any other key.
 */
export function stepInList<Item>(
  key: string,
  items: readonly (Item | null)[],
  current: unknown,
): Item | undefined {
  const place = (items as readonly unknown[]).indexOf(current);
  if (place < 0) return undefined;
  const targets: Record<string, number> = { ArrowDown: place + 1, ArrowUp: place - 1 };
  // In the field these keys move the cursor.
  if (place > 0) Object.assign(targets, { Home: 1, End: items.length - 1 });
  return items[targets[key] ?? -1] ?? undefined;
}
