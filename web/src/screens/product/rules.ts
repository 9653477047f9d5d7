import type { Schema } from '@/api/types';

type Product = Schema<'Product'>;
type Modifier = Schema<'Modifier'>;
type Group = Schema<'ModifierGroup'>;
type Chosen = Schema<'ChosenModifier'>;
type Allergen = Schema<'Allergen'>;

/** How many of each modifier are chosen, by `choiceKey`; a modifier that is missing is not chosen. */
export type Choice = Readonly<Record<string, number>>;

/** Returns the key of a modifier within a product; the same modifier may be single and in a group. */
export const choiceKey = (id: number, groupId?: number) => `${groupId ?? 0}.${id}`;

/** Returns the modifiers of a group in their order. */
export const modifiersOf = (group: Group): Modifier[] =>
  Object.values(group.modifiers).sort((a, b) => (a.sort ?? 0) - (b.sort ?? 0) || a.id - b.id);

/** Reports whether at most one modifier of a group can be chosen, so that a choice replaces the former choice. */
export const isSingleChoice = ({ min, max }: Group) => max === 1 && max - min <= 1;

/** Returns how many units are chosen in a group. */
export const chosenIn = (group: Group, choice: Choice): number =>
  modifiersOf(group).reduce((sum, { id }) => sum + (choice[choiceKey(id, group.id)] ?? 0), 0);

/** Returns the largest count that a modifier of a group can be set to now. */
export function maxCountOf(modifier: Modifier, group: Group, choice: Choice): number {
  if (modifier.type === 'stop') return 0;
  const own = choice[choiceKey(modifier.id, group.id)] ?? 0;
  return Math.min(modifier.max, own + Math.max(0, group.max - chosenIn(group, choice)));
}

/**
 * Returns the first choice of a product: its defaults, raised to the required minimum, without
 * stopped modifiers.
 */
export function firstChoice({ modifiers }: Product): Choice {
  const choice: Record<string, number> = {};
  const take = (modifier: Modifier, room: number, groupId?: number) => {
    const wanted = Math.min(Math.max(modifier.count, modifier.min), modifier.max, room);
    if (modifier.type === 'stop' || wanted <= 0) return 0;
    choice[choiceKey(modifier.id, groupId)] = wanted;
    return wanted;
  };
  for (const modifier of modifiers.single) take(modifier, modifier.max);
  for (const group of modifiers.groups) {
    let room = group.max;
    for (const modifier of modifiersOf(group)) room -= take(modifier, room, group.id);
  }
  return choice;
}

/** Returns the choice without what has been stopped since: it can neither be ordered nor taken back by a control. */
export function withoutStopped({ modifiers }: Product, choice: Choice): Choice {
  const keysOf = (all: Modifier[], groupId?: number) =>
    all.filter(({ type }) => type === 'stop').map(({ id }) => choiceKey(id, groupId));
  const stopped = new Set([
    ...keysOf(modifiers.single),
    ...modifiers.groups.flatMap((group) => keysOf(modifiersOf(group), group.id)),
  ]);
  return Object.fromEntries(Object.entries(choice).filter(([key]) => !stopped.has(key)));
}

/** Returns the choice with a single modifier's count, kept within the modifier's bounds. */
export function setSingle(choice: Choice, modifier: Modifier, count: number): Choice {
  const bounded = Math.min(Math.max(count, modifier.min), modifier.max);
  return { ...choice, [choiceKey(modifier.id)]: bounded };
}

/**
 * Returns the choice with the count of a group's modifier, kept within the bounds of the modifier and the group.
 * In a single choice the other modifiers become 0.
 */
export function setInGroup(
  choice: Choice,
  group: Group,
  modifier: Modifier,
  count: number,
): Choice {
  const key = choiceKey(modifier.id, group.id);
  if (!isSingleChoice(group)) {
    const bounded = Math.min(Math.max(count, modifier.min), maxCountOf(modifier, group, choice));
    return { ...choice, [key]: bounded };
  }
  const others = modifiersOf(group).map(({ id }) => [choiceKey(id, group.id), 0] as const);
  return { ...choice, ...Object.fromEntries(others), [key]: Math.min(count, 1) };
}

/** Something that has to be chosen before the product can be added. */
export interface MissingChoice {
  /** The group, or the single modifier. */
  name: string;
  groupId?: number;
  /** How many more have to be chosen. */
  missing: number;
  /** Whether some of what is required is chosen already. */
  isBegun: boolean;
}

/** Returns the missing choices in the order of the dialog; none when the product can be added. */
export function findMissingChoices({ modifiers }: Product, choice: Choice): MissingChoice[] {
  const missingOf = (
    name: string,
    min: number,
    chosen: number,
    groupId?: number,
  ): MissingChoice => ({
    name,
    groupId,
    missing: min - chosen,
    isBegun: chosen > 0,
  });
  const singles = modifiers.single.map(({ id, name, min }) =>
    missingOf(name, min, choice[choiceKey(id)] ?? 0),
  );
  const groups = modifiers.groups.map((group) =>
    missingOf(group.name, group.min, chosenIn(group, choice), group.id),
  );
  return [...groups, ...singles].filter(({ missing }) => missing > 0);
}

/** Returns the chosen modifiers in the form of the cart's calls, with their groups. */
export function toModifiers({ modifiers }: Product, choice: Choice): Chosen[] {
  const chosen: Chosen[] = [];
  for (const { id } of modifiers.single) {
    const count = choice[choiceKey(id)] ?? 0;
    if (count > 0) chosen.push({ id, count });
  }
  for (const group of modifiers.groups) {
    for (const { id } of modifiersOf(group)) {
      const count = choice[choiceKey(id, group.id)] ?? 0;
      if (count > 0) chosen.push({ id, group_id: group.id, count });
    }
  }
  return chosen;
}

/**
 * Returns how many chosen units of each modifier of a group are free, by the modifier's id. The most expensive
 * units are free first.
 */
export function freeUnits(group: Group, choice: Choice): ReadonlyMap<number, number> {
  const free = new Map<number, number>();
  let left = group.free;
  for (const { id } of modifiersOf(group).sort((a, b) => b.price - a.price)) {
    const units = Math.min(choice[choiceKey(id, group.id)] ?? 0, left);
    if (units > 0) free.set(id, units);
    left -= units;
  }
  return free;
}

/**
 * Reports whether all chosen units of a modifier are free; when none is chosen, whether the group has a free
 * unit left.
 */
export function isIncluded(group: Group, { id }: Modifier, choice: Choice): boolean {
  const chosen = choice[choiceKey(id, group.id)] ?? 0;
  if (chosen === 0) return chosenIn(group, choice) < group.free;
  return freeUnits(group, choice).get(id) === chosen;
}

/** Returns the allergens of the product with its chosen modifiers, each once. */
export function allergensOf({ allergens, modifiers }: Product, choice: Choice): Allergen[] {
  const chosen = [
    ...modifiers.single.filter(({ id }) => choice[choiceKey(id)]),
    ...modifiers.groups.flatMap((group) =>
      modifiersOf(group).filter(({ id }) => choice[choiceKey(id, group.id)]),
    ),
  ];
  const all = [...allergens, ...chosen.flatMap((modifier) => modifier.allergens)];
  return [...new Map(all.map((allergen) => [allergen.alias, allergen])).values()];
}

/**
 * Returns the price on the add button: (price + modifiers × their counts, without the free ones of
 * each group) × portions, in major units. Counted in integer minor units; the cart's own sums come
 * from the server.
 */
export function previewPrice(product: Product, choice: Choice, portions: number): number {
  let portionPrice = toMinor(product.price);
  for (const { id, price } of product.modifiers.single) {
    portionPrice += toMinor(price) * (choice[choiceKey(id)] ?? 0);
  }
  for (const group of product.modifiers.groups) {
    const free = freeUnits(group, choice);
    for (const { id, price } of modifiersOf(group)) {
      portionPrice +=
        toMinor(price) * ((choice[choiceKey(id, group.id)] ?? 0) - (free.get(id) ?? 0));
    }
  }
  return (portionPrice * portions) / 100;
}

/** Returns an amount in minor units, such as cents. */
const toMinor = (amount: number) => Math.round(amount * 100);
