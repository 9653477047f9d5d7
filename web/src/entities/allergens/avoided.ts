import { useMemo, useSyncExternalStore } from 'react';
import type { Schema } from '@/api/types';
import { readStored, writeStored } from '@/lib/storage';
import { createKeyedStore } from '@/lib/store';

type Allergen = Schema<'Allergen'>;

/** One key for all brands and cities: the visitor avoids the same things everywhere. */
const key = 'avoided-allergens';

const none: readonly string[] = [];
const device = createKeyedStore((stored: string) => readStored(stored, areAliases) ?? none);

/**
 * Returns the aliases of the allergens that the visitor does not eat, in the order of the choice.
 * None on the server and before hydration. The same array until the choice changes.
 */
export function useAvoided(): readonly string[] {
  return useSyncExternalStore(device.subscribe, avoidedNow, () => none);
}

/** Returns the given allergens that the visitor does not eat. */
export function useAvoidedIn(allergens: readonly Allergen[]): readonly Allergen[] {
  const avoided = useAvoided();
  return useMemo(() => avoidedIn(allergens, avoided), [allergens, avoided]);
}

/** Returns the given allergens that are avoided, each once. */
export function avoidedIn(
  allergens: readonly Allergen[],
  avoided: readonly string[],
): readonly Allergen[] {
  if (avoided.length === 0) return [];
  const byAlias = new Map(allergens.map((allergen) => [allergen.alias, allergen]));
  return [...byAlias.values()].filter(({ alias }) => avoided.includes(alias));
}

/** Stores the avoided allergens on the device and updates the components that show them. */
export function setAvoided(aliases: readonly string[]): void {
  device.set(key, aliases);
  writeStored(key, aliases);
}

/** Clears the memory, as a reload does. */
export function clearAvoided(): void {
  device.clear();
}

const avoidedNow = (): readonly string[] => device.get(key);

const areAliases = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((alias) => typeof alias === 'string');
