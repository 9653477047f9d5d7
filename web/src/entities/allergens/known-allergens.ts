import type { Schema } from '@/api/types';

type Allergen = Schema<'Allergen'>;

/** Returns the allergens of a menu's dishes and additions, by name: the choice in a city without a list of its own. */
export function allergensInMenu(menu: Schema<'Menu'>, language: string): Allergen[] {
  const found = new Map<string, Allergen>();
  for (const { products } of menu.product_groups) {
    for (const { allergens, modifiers } of products) {
      const chosen = modifiers.groups.flatMap((group) => Object.values(group.modifiers));
      const added = [...modifiers.single, ...chosen].flatMap((modifier) => modifier.allergens);
      for (const allergen of [...allergens, ...added]) found.set(allergen.alias, allergen);
    }
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name, language));
}
