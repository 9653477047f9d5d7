import { describe, expect, it } from 'vitest';
import type { ShownLine } from '@/entities/cart/changes';
import { countedLine, linesByProduct } from './counted-line';

const line = (key: string, count: number): ShownLine => ({
  key,
  productKey: key.split('~')[0] ?? key,
  modifiers: [],
  count,
  isPending: false,
});

describe('the counter of a product', () => {
  it('begins a line of the product itself', () => {
    expect(countedLine('1-7', [], 1)).toEqual({ lineKey: '1-7', count: 1 });
  });

  it('counts the line with its modifiers on', () => {
    expect(countedLine('1-7', [line('1-7~ab', 2)], 3)).toEqual({ lineKey: '1-7~ab', count: 3 });
  });

  it('counts the line that was added last when there are several', () => {
    const lines = [line('1-7~ab', 2), line('1-7~cd', 1)];
    expect(countedLine('1-7', lines, 4)).toEqual({ lineKey: '1-7~cd', count: 2 });
    expect(countedLine('1-7', lines, 2)).toEqual({ lineKey: '1-7~cd', count: 0 });
  });

  it('groups the lines by product', () => {
    const byProduct = linesByProduct([line('1-7~ab', 2), line('1-8', 1), line('1-7', 1)]);
    expect(byProduct.get('1-7')?.map(({ key }) => key)).toEqual(['1-7~ab', '1-7']);
    expect(byProduct.get('1-9')).toBeUndefined();
  });
});
