import type { Schema } from '@/api/types';

type Allergen = Schema<'Allergen'>;

/**
 * Returns the allergens of a menu's dishes and modifiers, sorted by name. They are the choice in a city without
 * a list.
 */
export function allergensInMenu(menu: Schema<'Menu'>, language: string): Allergen[] {
  const found = new Map<string, Allergen>();
  for (const { products } of menu.product_groups) {
    for (const { allergens, modifiers } of products) {
      const inGroups = modifiers.groups.flatMap((group) => Object.values(group.modifiers));
      const ofModifiers = [...modifiers.single, ...inGroups].flatMap(({ allergens: own }) => own);
      for (const allergen of [...allergens, ...ofModifiers]) found.set(allergen.alias, allergen);
    }
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name, language));
}
