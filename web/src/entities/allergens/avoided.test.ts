import { act, renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { writeStored } from '@/lib/storage';
import { makeGroup, makeProduct } from '@/testing/fixtures';
import { avoidedIn, clearAvoided, setAvoided, useAvoided } from './avoided';
import { allergensInMenu } from './known-allergens';

const milk = { alias: 'milk', name: 'milk' };
const fish = { alias: 'fish', name: 'fish' };

describe('what the visitor does not eat', () => {
  it('is nothing at first', () => {
    expect(renderHook(useAvoided).result.current).toEqual([]);
  });

  it('changes everywhere at once and is there again after a reload, in any city', () => {
    const { result } = renderHook(useAvoided);
    act(() => setAvoided(['milk', 'fish']));
    expect(result.current).toEqual(['milk', 'fish']);
    clearAvoided();
    expect(renderHook(useAvoided).result.current).toEqual(['milk', 'fish']);
  });

  it('is nothing where the device keeps something else under the name', () => {
    writeStored('avoided-allergens', { milk: true });
    expect(renderHook(useAvoided).result.current).toEqual([]);
  });

  it('is the same array until it changes', () => {
    setAvoided(['milk']);
    const { result, rerender } = renderHook(useAvoided);
    const before = result.current;
    rerender();
    expect(result.current).toBe(before);
  });
});

it('names what is in a dish and avoided, each once', () => {
  expect(avoidedIn([milk, fish, milk], ['milk', 'nuts'])).toEqual([milk]);
  expect(avoidedIn([milk], [])).toEqual([]);
});

it('the allergens of a menu are those of its dishes and their additions, by name', () => {
  const sauce = { id: 1, name: 'Sauce', price: 0, min: 0, max: 1, count: 0 };
  const dish = makeProduct({
    allergens: [milk],
    modifiers: {
      available: true,
      single: [{ ...sauce, type: 'default', allergens: [fish] }],
      groups: [],
    },
  });
  const menu = { product_groups: [makeGroup({ products: [dish, dish] })], popular_products: [] };
  expect(allergensInMenu(menu, 'en')).toEqual([fish, milk]);
});
