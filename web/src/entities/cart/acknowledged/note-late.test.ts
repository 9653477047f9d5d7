import { beforeEach, expect, it, vi } from 'vitest';
import { makeCart, makeLine } from '@/testing/fixtures';
import { changesSince } from './changes-since';
import { noteCartLate } from './note-late';
import { acknowledgementIn, clearAcknowledgements } from './store';

const [before, dearer, empty] = [
  makeCart([makeLine()]),
  makeCart([makeLine({ price_with_modifiers: 14 })]),
  makeCart(),
];

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  clearAcknowledgements();
});

it('compares carts that came while the comparison was loaded in their order', async () => {
  for (const cart of [empty, before, dearer]) noteCartLate(cart);
  await vi.waitFor(() => expect(acknowledgementIn(1).agreed).toBeDefined());
  expect(changesSince(acknowledgementIn(1).agreed, dearer, 0)).toMatchObject([{ before: 12.5 }]);
});

it('compares a cart at once when the comparison is loaded', async () => {
  noteCartLate(before);
  await vi.waitFor(() => expect(acknowledgementIn(1).agreed).toBeDefined());
  noteCartLate(empty);
  expect(acknowledgementIn(1)).toEqual({});
  noteCartLate(dearer);
  expect(acknowledgementIn(1).agreed?.lines.philadelphia?.price).toBe(14);
});
