import { readInTab, removeInTab, writeInTab } from '@/lib/storage';
import type { PlacedChange } from './changes';
import type { Outbox } from './outbox';

/** How long changes are kept, in milliseconds: for less than the day in which the server counts each of them once. */
const keepTime = 12 * 3_600_000;

interface Kept {
  changes: PlacedChange[];
  /** Milliseconds since 1970. */
  until: number;
}

const keyOf = (cityId: number) => `cart-changes.${cityId}`;

const following = new WeakSet<Outbox>();

/**
 * Stores the changes of a city's cart in the tab while they do not get through, because a phone may discard the tab
 * meanwhile. At the first call for an outbox it sends those that were stored before, under their former keys.
 */
export function keepChanges(outbox: Outbox, cityId: number): void {
  if (following.has(outbox)) return;
  following.add(outbox);
  const kept = readInTab(keyOf(cityId), isKept);
  if (kept && kept.until > Date.now()) {
    for (const change of kept.changes) outbox.postChange(change, undefined, change.header);
  }
  outbox.state.subscribe(() => {
    const { changes, isBusy, retrying } = outbox.state.get();
    if (retrying) writeInTab(keyOf(cityId), { changes, until: Date.now() + keepTime });
    else if (!isBusy) removeInTab(keyOf(cityId));
  });
}

/** Reports whether a stored value has today's form; an older version may have stored another. */
function isKept(value: unknown): value is Kept {
  const { changes, until } = (value ?? {}) as Record<keyof Kept, unknown>;
  return typeof until === 'number' && Array.isArray(changes) && changes.every(isPlacedChange);
}

function isPlacedChange(value: unknown): value is PlacedChange {
  const { lineKey, productKey, modifiers, delta, place } = (value ?? {}) as Record<
    keyof PlacedChange,
    unknown
  >;
  return (
    typeof lineKey === 'string' &&
    typeof productKey === 'string' &&
    Array.isArray(modifiers) &&
    (typeof delta === 'number' || delta === 'all') &&
    typeof place === 'object'
  );
}
