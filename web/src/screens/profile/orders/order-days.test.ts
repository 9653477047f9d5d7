import { describe, expect, it } from 'vitest';
import { makeOrderBrief } from '@/testing/users';
import { groupByDay, nameDay, readPage } from './order-days';

describe('the list of orders', () => {
  it('is grouped by the day of placing and keeps its order', () => {
    const list = [
      makeOrderBrief({ order_id: 3, date_string: '2030-01-02' }),
      makeOrderBrief({ order_id: 2, date_string: '2030-01-02' }),
      makeOrderBrief({ order_id: 1, date_string: '2029-12-31' }),
    ];
    const days = groupByDay(list).map(({ date, orders }) => [
      date,
      ...orders.map(({ order_id }) => order_id),
    ]);
    expect(days).toEqual([
      ['2030-01-02', 3, 2],
      ['2029-12-31', 1],
    ]);
  });

  it.each([
    ['2030-03-01', 'today'],
    ['2030-02-28', 'yesterday'],
    ['2030-01-01', 'this-year'],
    ['2029-12-31', 'earlier'],
  ])('calls %s as it is said on 1 March 2030', (date, name) => {
    expect(nameDay(date, '2030-03-01')).toBe(name);
  });

  it.each([
    ['2', 2],
    ['0', 1],
    ['-1', 1],
    ['1.5', 1],
    ['x', 1],
    ['1000000', 1],
    [null, 1],
  ])('page %s of the address is %i', (text, page) => {
    expect(readPage(text)).toBe(page);
  });
});
