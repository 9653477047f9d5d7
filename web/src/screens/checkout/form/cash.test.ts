import { describe, expect, it } from 'vitest';
import { cashDigits, cashProblem, notesAbove, settledCash } from './cash';

const bounds = { total: 1240, limit: 5000, roundsUp: false };

describe('cash', () => {
  it('offers the banknotes above the total and within the limit', () => {
    expect(notesAbove([5000, 500, 1000, 2000, 10000], bounds)).toEqual([2000, 5000]);
  });

  it('offers no banknote that is just the total', () => {
    expect(notesAbove([1240], bounds)).toEqual([]);
  });

  it('takes digits only', () => {
    expect(cashDigits('2 000 ₽')).toBe('2000');
    expect(cashDigits('-05')).toBe('5');
  });

  it('asks for no change when nothing was typed', () => {
    expect(cashProblem('', bounds)).toBeUndefined();
    expect(settledCash('0', bounds)).toBeUndefined();
  });

  it('refuses less than the total and more than the limit', () => {
    expect(cashProblem('1239', bounds)).toBe('cash-below');
    expect(cashProblem('1240', bounds)).toBeUndefined();
    expect(cashProblem('5000', bounds)).toBeUndefined();
    expect(cashProblem('5001', bounds)).toBe('cash-limit');
  });

  it('lets a total above the limit be paid exactly', () => {
    expect(cashProblem('7000', { ...bounds, total: 7000 })).toBeUndefined();
    expect(cashProblem('7001', { ...bounds, total: 7000 })).toBe('cash-limit');
  });

  it('rounds a sum below the total up to the next hundred where the country does so', () => {
    const turkish = { ...bounds, roundsUp: true };
    expect(settledCash('100', turkish)).toBe(1300);
    expect(settledCash('1500', turkish)).toBe(1500);
    expect(cashProblem('100', turkish)).toBeUndefined();
  });

  it('lets a total above the limit be paid with the hundred that it is rounded up to', () => {
    const dear = { total: 5050, limit: 5000, roundsUp: true };
    expect(cashProblem('100', dear)).toBeUndefined();
    expect(cashProblem('5101', dear)).toBe('cash-limit');
  });
});
