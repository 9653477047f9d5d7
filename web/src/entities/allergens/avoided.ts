import { useMemo, useSyncExternalStore } from 'react';
import type { Schema } from '@/api/types';
import { recall, remember } from '@/lib/storage';
import { createStore } from '@/lib/store';

type Allergen = Schema<'Allergen'>;

/** One key for all brands and cities: what somebody does not eat is the same everywhere. */
const key = 'avoided-allergens';

const none: readonly string[] = [];
const device = createStore<{ aliases?: readonly string[] }>({});

/**
 * The aliases of the allergens that the visitor does not eat, in the order of the choice. None on the
 * server and while the page wakes up. The same array until the choice changes.
 */
export function useAvoided(): readonly string[] {
  return useSyncExternalStore(device.subscribe, avoidedNow, () => none);
}

/** Those of the allergens that the visitor does not eat. */
export function useAvoidedIn(allergens: readonly Allergen[]): readonly Allergen[] {
  const avoided = useAvoided();
  return useMemo(() => avoidedIn(allergens, avoided), [allergens, avoided]);
}

/** Those of the allergens that are avoided, each once. */
export function avoidedIn(
  allergens: readonly Allergen[],
  avoided: readonly string[],
): readonly Allergen[] {
  if (avoided.length === 0) return [];
  const byAlias = new Map(allergens.map((allergen) => [allergen.alias, allergen]));
  return [...byAlias.values()].filter(({ alias }) => avoided.includes(alias));
}

/** Keeps on the device what the visitor does not eat. */
export function setAvoided(aliases: readonly string[]): void {
  device.set({ aliases });
  remember(key, aliases);
}

/** Drops what is held in memory, as a reload does. */
export function forgetAvoided(): void {
  device.set({});
}

function avoidedNow(): readonly string[] {
  const held = device.get();
  // A read is no change: nobody has to hear of it.
  held.aliases ??= recall(key, areAliases) ?? none;
  return held.aliases;
}

const areAliases = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((alias) => typeof alias === 'string');
