/**
 * Returns the item that a key moves the focus to, in a list whose first item is the search field. Arrows move to
 * the neighbour; Home and End move from a row to the first or last row. Undefined for any other key, and without
 * a target.
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
