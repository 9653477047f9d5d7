import { describe, expect, it } from 'vitest';
import { stepInList } from './list-steps';

const items = ['field', 'first', 'second', 'third'];

describe('the keys in a list below its field', () => {
  it.each([
    ['ArrowDown', 'field', 'first'],
    ['ArrowDown', 'second', 'third'],
    ['ArrowDown', 'third', undefined],
    ['ArrowUp', 'first', 'field'],
    ['ArrowUp', 'field', undefined],
    ['Home', 'third', 'first'],
    ['End', 'first', 'third'],
    ['Home', 'field', undefined],
    ['End', 'field', undefined],
    ['Enter', 'first', undefined],
    ['ArrowDown', 'elsewhere', undefined],
  ])('%s in %s leads to %s', (key, current, expected) => {
    expect(stepInList(key, items, current)).toBe(expected);
  });
});
