import { describe, expect, it } from 'vitest';
import { makeCart, makeLine } from '@/testing/fixtures';
import { type Change, countOf, lineKeyOf, mergeChange, nameOf, showLines } from './changes';

const change = (lineKey: string, delta: Change['delta'], own: Partial<Change> = {}): Change => ({
  lineKey,
  productKey: lineKey,
  modifiers: [],
  delta,
  ...own,
});

const spicy = [{ id: 7, count: 1 }];
const spicyLine = makeLine({
  key: '1-1~ab',
  product_key: '1-1',
  modifiers: [{ id: 7, name: 'Chili', count: 1, price: 1 }],
});

describe('the shown lines', () => {
  it('are in the order they were added', () => {
    const late = makeLine({ key: '1-2', added_at: '2026-01-01T12:00:02Z' });
    const early = makeLine({ key: '1-3', added_at: '2026-01-01T12:00:01Z' });
    expect(showLines(makeCart([late, early]), []).map(({ key }) => key)).toEqual(['1-3', '1-2']);
  });

  it('count the changes on top of the server’s counts', () => {
    const cart = makeCart([makeLine({ key: '1-1', count: 2 })]);
    const [line] = showLines(cart, [change('1-1', 1), change('1-1', 3)]);
    expect(line).toMatchObject({ count: 6, isPending: true });
  });

  it('never count below zero and leave out what is gone', () => {
    const cart = makeCart([makeLine({ key: '1-1', count: 2 })]);
    expect(showLines(cart, [change('1-1', -5)])).toEqual([]);
    expect(showLines(cart, [change('1-1', 'all')])).toEqual([]);
  });

  it('restore what was removed before', () => {
    const cart = makeCart([makeLine({ key: '1-1', count: 2 })]);
    expect(showLines(cart, [change('1-1', 'all'), change('1-1', 2)])[0]?.count).toBe(2);
  });

  it('keep their place when they are removed and restored', () => {
    const other = makeLine({ key: '1-2', product_key: '1-2', added_at: '2026-01-01T12:00:02Z' });
    const positions = new Map([
      [nameOf({ productKey: '1-1', modifiers: spicy }), '2026-01-01T12:00:01Z'],
    ]);
    const waiting = change('1-1~new:0.7x1', 1, { productKey: '1-1', modifiers: spicy });
    const whileWaiting = showLines(makeCart([other]), [waiting], positions);
    expect(whileWaiting.map(({ productKey }) => productKey)).toEqual(['1-1', '1-2']);
    const returned = { ...spicyLine, added_at: '2026-01-01T12:00:03Z' };
    const confirmed = showLines(makeCart([other, returned]), [], positions);
    expect(confirmed.map(({ productKey }) => productKey)).toEqual(['1-1', '1-2']);
  });

  it('match a line by its modifiers once the server has assigned its key', () => {
    const waiting = change('1-1~new:0.7x1', 1, { productKey: '1-1', modifiers: spicy });
    const [line, ...others] = showLines(makeCart([spicyLine]), [waiting]);
    expect(line).toMatchObject({ key: '1-1~ab', count: 2 });
    expect(others).toEqual([]);
  });

  it('count a product over all of its lines', () => {
    const cart = makeCart([makeLine({ key: '1-1', product_key: '1-1', count: 2 }), spicyLine]);
    expect(countOf(showLines(cart, []), '1-1')).toBe(3);
  });
});

describe('the key of a line', () => {
  it('is the server’s when the same choice is in the cart', () => {
    expect(lineKeyOf(makeCart([spicyLine]), '1-1', spicy)).toBe('1-1~ab');
  });

  it('is the product’s without modifiers', () => {
    expect(lineKeyOf(makeCart([spicyLine]), '1-1', [])).toBe('1-1');
  });

  it('does not depend on the order of the modifiers', () => {
    const [a, b] = [
      { id: 1, count: 1 },
      { id: 2, group_id: 5, count: 2 },
    ];
    expect(lineKeyOf(undefined, '1-1', [a, b])).toBe(lineKeyOf(undefined, '1-1', [b, a]));
  });
});

describe('waiting changes', () => {
  it('of one line add up', () => {
    expect(mergeChange([change('1-1', 1)], change('1-1', 2))).toEqual([change('1-1', 3)]);
  });

  it('that cancel out leave nothing', () => {
    expect(mergeChange([change('1-1', 1)], change('1-1', -1))).toEqual([]);
  });

  it('of other lines stay apart', () => {
    expect(mergeChange([change('1-1', 1)], change('1-2', 1))).toHaveLength(2);
  });
});
