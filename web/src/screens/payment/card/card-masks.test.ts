import { maskitoTransform } from '@maskito/core';
import { describe, expect, it } from 'vitest';
import { cvcMask, expiryMask, numberMask } from './card-masks';

describe('what is pasted or filled in at once', () => {
  it.each([
    ['4242424242424242', '4242 4242 4242 4242'],
    ['4242-4242-4242-4242', '4242 4242 4242 4242'],
    ['1234567890123456789000', '1234 5678 9012 3456 789'],
  ])('a number %s stands in groups of four', (pasted, shown) => {
    expect(maskitoTransform(pasted, numberMask)).toBe(shown);
  });

  it.each(['12/30', '12/2030', '12 / 2030', '1230', '122030', '2030-12'])(
    'a date %s becomes month and year',
    (pasted) => {
      expect(maskitoTransform(pasted, expiryMask)).toBe('12 / 30');
    },
  );

  it('a code has four digits at most', () => {
    expect(maskitoTransform('12345', cvcMask)).toBe('1234');
  });
});
