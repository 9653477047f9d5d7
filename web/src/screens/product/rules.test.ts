import { describe, expect, it } from 'vitest';
import type { Schema } from '@/api/types';
import { makeProduct } from '@/testing/fixtures';
import {
  allergensOf,
  type Choice,
  findMissingChoices,
  firstChoice,
  freeUnits,
  isIncluded,
  isSingleChoice,
  maxCountOf,
  previewPrice,
  setInGroup,
  setSingle,
  toModifiers,
} from './rules';

type Modifier = Schema<'Modifier'>;

const modifier = (id: number, own: Partial<Modifier> = {}): Modifier => ({
  id,
  name: `Modifier ${id}`,
  price: 0,
  min: 0,
  max: 1,
  count: 0,
  type: 'default',
  sort: id,
  allergens: [],
  ...own,
});

/** Returns a group of modifiers with id 9. */
const group = (min: number, max: number, modifiers: Modifier[]): Schema<'ModifierGroup'> => ({
  id: 9,
  name: 'Sauces',
  min,
  max,
  free: 0,
  modifiers: Object.fromEntries(modifiers.map((one) => [one.id, one])),
});

const withModifiers = (
  single: Modifier[],
  groups: Schema<'ModifierGroup'>[] = [],
  own: Partial<Schema<'Product'>> = {},
) => makeProduct({ ...own, modifiers: { available: true, single, groups } });

const three = [modifier(1), modifier(2), modifier(3)];

describe('a group', () => {
  it.each([
    [0, 1, true],
    [1, 1, true],
    [1, 2, false],
    [2, 2, false],
    [0, 3, false],
  ])('from %i to %i takes one in place of another: %s', (min, max, expected) => {
    expect(isSingleChoice(group(min, max, three))).toBe(expected);
  });

  it('replaces the choice where one can be chosen', () => {
    const one = group(1, 1, three);
    const choice = setInGroup({ '9.1': 1 }, one, modifier(2), 1);
    expect(choice).toEqual({ '9.1': 0, '9.2': 1, '9.3': 0 });
  });

  it('lets an optional single choice be taken back', () => {
    const optional = group(0, 1, three);
    expect(setInGroup({ '9.1': 1 }, optional, modifier(1), 0)['9.1']).toBe(0);
  });

  it.each<[string, Choice, number]>([
    ['nothing else is chosen', {}, 2],
    ['another takes a part of the room', { '9.2': 1 }, 1],
    ['it is full', { '9.2': 1, '9.3': 1 }, 0],
    ['its own count takes the room', { '9.1': 1, '9.2': 1 }, 1],
  ])('leaves room for a modifier when %s', (_, choice, expected) => {
    const two = group(0, 2, [modifier(1, { max: 5 }), modifier(2), modifier(3)]);
    expect(maxCountOf(modifier(1, { max: 5 }), two, choice)).toBe(expected);
  });

  it('keeps a count within the modifier and the group', () => {
    const upToThree = group(0, 3, three);
    expect(setInGroup({}, upToThree, modifier(1), 4)['9.1']).toBe(1);
    const full = { '9.1': 1, '9.2': 1, '9.3': 1 };
    const extra = modifier(4, { max: 2 });
    expect(setInGroup(full, group(0, 3, [...three, extra]), extra, 2)['9.4']).toBe(0);
  });

  it('has no room for what is stopped', () => {
    const stopped = modifier(1, { type: 'stop' });
    expect(maxCountOf(stopped, group(0, 2, [stopped]), {})).toBe(0);
  });
});

describe('the first choice', () => {
  it('takes the defaults and what is required', () => {
    const product = withModifiers(
      [modifier(1, { count: 1 }), modifier(2, { min: 1 }), modifier(3)],
      [group(1, 1, [modifier(4), modifier(5, { count: 1 })])],
    );
    expect(firstChoice(product)).toEqual({ '0.1': 1, '0.2': 1, '9.5': 1 });
  });

  it('leaves out what is stopped', () => {
    const stopped = modifier(1, { count: 1, type: 'stop' });
    expect(firstChoice(withModifiers([stopped], [group(0, 2, [stopped])]))).toEqual({});
  });

  it('never takes more defaults than the group allows', () => {
    const eager = three.map((one) => ({ ...one, count: 1 }));
    expect(firstChoice(withModifiers([], [group(0, 2, eager)]))).toEqual({ '9.1': 1, '9.2': 1 });
  });
});

describe('a single modifier', () => {
  it.each([
    [-1, 0],
    [1, 1],
    [4, 3],
  ])('set to %i counts %i', (wanted, expected) => {
    expect(setSingle({}, modifier(1, { max: 3 }), wanted)).toEqual({ '0.1': expected });
  });
});

describe('what is missing', () => {
  it('names the group, how many more, and whether some are chosen', () => {
    const product = withModifiers([], [group(2, 3, three)]);
    const lack = { name: 'Sauces', groupId: 9 };
    expect(findMissingChoices(product, {})).toEqual([{ ...lack, missing: 2, isBegun: false }]);
    expect(findMissingChoices(product, { '9.1': 1 })).toEqual([
      { ...lack, missing: 1, isBegun: true },
    ]);
  });

  it('is nothing once all bounds are met', () => {
    const product = withModifiers([modifier(1, { min: 1 })], [group(1, 1, three)]);
    expect(findMissingChoices(product, { '0.1': 1, '9.2': 1 })).toEqual([]);
  });
});

it('sends only what is chosen, with its group', () => {
  const product = withModifiers([modifier(1)], [group(0, 2, three)]);
  expect(toModifiers(product, { '0.1': 1, '9.1': 0, '9.3': 1 })).toEqual([
    { id: 1, count: 1 },
    { id: 3, group_id: 9, count: 1 },
  ]);
});

describe('the previewed price', () => {
  it.each<[number, number, Choice, number, number]>([
    [549, 0, {}, 1, 549],
    [549, 39, { '0.1': 2 }, 1, 627],
    [549, 39, { '0.1': 1 }, 3, 1764],
    [0.1, 0.2, { '0.1': 1 }, 3, 0.9],
    [12.9, 1.15, { '0.1': 1, '9.1': 1 }, 2, 30.4],
  ])(
    'of %d with modifiers at %d, chosen %o, times %i is %d',
    (price, extra, choice, portions, expected) => {
      const priced = modifier(1, { price: extra, max: 3 });
      const product = withModifiers([priced], [group(0, 1, [priced])], { price });
      expect(previewPrice(product, choice, portions)).toBe(expected);
    },
  );
});

describe('what is free in a group', () => {
  const dear = modifier(1, { price: 60, max: 5 });
  const cheap = modifier(2, { price: 40, max: 5 });
  const sauces = (free: number) => ({ ...group(0, 5, [dear, cheap]), free });
  const priceOf = (free: number, choice: Choice, portions = 1) =>
    previewPrice(withModifiers([], [sauces(free)], { price: 100 }), choice, portions);

  it.each<[string, number, Choice, number]>([
    ['nothing is free', 0, { '9.1': 1, '9.2': 1 }, 200],
    ['all that is chosen is free', 2, { '9.1': 1, '9.2': 1 }, 100],
    ['the dearest are free', 1, { '9.1': 1, '9.2': 1 }, 140],
    ['one of the dear ones and one of the cheap ones is free', 2, { '9.1': 1, '9.2': 2 }, 140],
    ['some units of one are free', 2, { '9.1': 3 }, 160],
    ['less is chosen than is free', 4, { '9.2': 1 }, 100],
  ])('where %s the price knows it', (_, free, choice, expected) => {
    expect(priceOf(free, choice)).toBe(expected);
  });

  it('is free in every portion', () => {
    expect(priceOf(1, { '9.1': 1, '9.2': 1 }, 3)).toBe(420);
  });

  it('goes to the dearest units first', () => {
    expect([...freeUnits(sauces(2), { '9.1': 1, '9.2': 2 })]).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  it.each<[string, number, Choice, boolean, boolean]>([
    ['nothing is chosen', 2, {}, true, true],
    ['one more is free', 2, { '9.1': 1 }, true, true],
    ['all that was free is chosen', 1, { '9.1': 1 }, true, false],
    ['a dearer one takes its place', 1, { '9.1': 1, '9.2': 1 }, true, false],
    ['only some units of it are free', 1, { '9.1': 2 }, false, false],
    ['the group has none', 0, {}, false, false],
  ])('is shown at each modifier while %s', (_, free, choice, first, second) => {
    expect(isIncluded(sauces(free), dear, choice)).toBe(first);
    expect(isIncluded(sauces(free), cheap, choice)).toBe(second);
  });
});

it('has in it what the dish and the chosen modifiers have, each once', () => {
  const milk = { alias: 'milk', name: 'milk' };
  const fish = { alias: 'fish', name: 'fish' };
  const product = withModifiers(
    [modifier(1, { allergens: [milk] })],
    [group(0, 1, [modifier(2, { allergens: [fish] })])],
    { allergens: [milk] },
  );
  expect(allergensOf(product, {})).toEqual([milk]);
  expect(allergensOf(product, { '0.1': 1, '9.2': 1 })).toEqual([milk, fish]);
});
