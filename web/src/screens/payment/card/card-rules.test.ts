import { describe, expect, it } from 'vitest';
import {
  brandOf,
  cardOf,
  isNumberComplete,
  normalExpiry,
  passesLuhn,
  problemOf,
} from './card-rules';

const now = new Date(2026, 10, 22);
const card = (own: Partial<Parameters<typeof problemOf>[1]> = {}) => ({
  number: '4242 4242 4242 4242',
  expiry: '12 / 30',
  cvc: '123',
  ...own,
});

describe('the brand of a number', () => {
  it.each([
    ['4', 'visa'],
    ['5555', 'mastercard'],
    ['2221', 'mastercard'],
    ['2720', 'mastercard'],
    ['2200', 'mir'],
    ['2204', 'mir'],
    ['34', 'amex'],
    ['62', 'unionpay'],
    ['9792', 'troy'],
    ['2205', undefined],
    ['2721', undefined],
    ['', undefined],
  ] as const)('that begins with %s is %s', (number, brand) => {
    expect(brandOf(number, 'DE')).toBe(brand);
  });

  it('takes 65 for Troy in Turkey only', () => {
    expect(brandOf('6500', 'TR')).toBe('troy');
    expect(brandOf('6500', 'DE')).toBeUndefined();
  });
});

describe('a number', () => {
  it('is checked by its last digit', () => {
    expect(passesLuhn('4242 4242 4242 4242')).toBe(true);
    expect(passesLuhn('4242 4242 4242 4241')).toBe(false);
    expect(problemOf('number', card({ number: '4242 4242 4242 4241' }), now)).toBe('number-wrong');
  });

  it('has 16 to 19 digits, 15 with American Express', () => {
    expect(problemOf('number', card({ number: '4242 4242 4242' }), now)).toBe('number-short');
    expect(problemOf('number', card({ number: '3782 8224 6310 005' }), now)).toBeUndefined();
    expect(problemOf('number', card({ number: '6250 9410 0652 8599' }), now)).toBeUndefined();
    expect(problemOf('number', card({ number: '2200 0000 0000 0000 004' }), now)).toBeUndefined();
  });

  it('is whole when it is as long as its brand’s are', () => {
    expect(isNumberComplete('4242 4242 4242 4242')).toBe(true);
    expect(isNumberComplete('4242 4242 4242 424')).toBe(false);
    expect(isNumberComplete('2200 0000 0000 0004')).toBe(true);
    // UnionPay's often have 19 digits.
    expect(isNumberComplete('6250 9410 0652 8599')).toBe(false);
  });
});

describe('the date on a card', () => {
  it.each([
    ['12/28', '1228'],
    ['12 / 2028', '1228'],
    ['12/2028', '1228'],
    ['122028', '1228'],
    ['1228', '1228'],
    ['2028-12', '1228'],
    ['4/28', '0428'],
    ['4.2028', '0428'],
    ['12', '12'],
  ])('pasted as %s is read', (pasted, digits) => {
    expect(normalExpiry(pasted)).toBe(digits);
  });

  it('is good to the end of its month', () => {
    expect(problemOf('expiry', card({ expiry: '11 / 26' }), now)).toBeUndefined();
    expect(problemOf('expiry', card({ expiry: '10 / 26' }), now)).toBe('expiry-past');
    expect(problemOf('expiry', card({ expiry: '13 / 27' }), now)).toBe('expiry-wrong');
    expect(problemOf('expiry', card({ expiry: '00 / 27' }), now)).toBe('expiry-wrong');
    expect(problemOf('expiry', card({ expiry: '12 / 2' }), now)).toBe('expiry-short');
  });
});

describe('the code', () => {
  it('has three digits, four with American Express', () => {
    expect(problemOf('cvc', card({ cvc: '12' }), now)).toBe('cvc-short');
    expect(problemOf('cvc', card(), now)).toBeUndefined();
    expect(problemOf('cvc', card({ number: '3782' }), now)).toBe('cvc-short');
  });
});

it('a card is encrypted as digits, month and a year of four digits', () => {
  expect(cardOf(card())).toEqual({ number: '4242424242424242', month: 12, year: 2030, cvc: '123' });
});
