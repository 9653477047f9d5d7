import { expect, it } from 'vitest';
import type { ShownLine } from '@/entities/cart/changes';
import { linesByProduct } from './lines-by-product';

const line = (key: string, count: number): ShownLine => ({
  key,
  productKey: key.split('~')[0] ?? key,
  modifiers: [],
  count,
  isPending: false,
});

it('the lines of a cart are grouped by product', () => {
  const byProduct = linesByProduct([line('1-7~ab', 2), line('1-8', 1), line('1-7', 1)]);
  expect(byProduct.get('1-7')?.map(({ key }) => key)).toEqual(['1-7~ab', '1-7']);
  expect(byProduct.get('1-9')).toBeUndefined();
});
