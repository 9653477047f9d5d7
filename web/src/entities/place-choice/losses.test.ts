import { describe, expect, it } from 'vitest';
import type { Schema } from '@/api/types';
import { makeCart, makeGroup, makeLine, makeProduct } from '@/testing/fixtures';
import { makeInterval, makeTimes } from '@/testing/orders';
import { losesNothing, lossesAt } from './losses';

const menuOf = (...products: ReturnType<typeof makeProduct>[]) => ({
  product_groups: [makeGroup({ products })],
  popular_products: [],
});

describe('losses at another place', () => {
  it('are nothing where everything is sold and the time is the soonest', () => {
    const cart = makeCart([makeLine()], { interval: makeInterval() });
    expect(losesNothing(lossesAt(cart, menuOf(makeProduct()), undefined))).toBe(true);
  });

  it('name the dishes that are not sold there or stopped', () => {
    const cart = makeCart([makeLine(), makeLine({ key: 'wok', name: 'Wok' })]);
    const menu = menuOf(makeProduct(), makeProduct({ key: 'wok', type: 'stop' }));
    expect(lossesAt(cart, menu, undefined).products).toEqual(['Wok']);
    expect(lossesAt(cart, menuOf(), undefined).products).toEqual(['Philadelphia', 'Wok']);
  });

  it('leave out what is sold only as an addition, which no menu lists', () => {
    const cart = makeCart([
      makeLine(),
      makeLine({ key: 'soy', name: 'Soy sauce', type: 'related' }),
    ]);
    expect(losesNothing(lossesAt(cart, menuOf(makeProduct()), undefined))).toBe(true);
  });

  it('include the chosen time only where it is not available there', () => {
    const interval = makeInterval({ id: 'slot', asap: false, title: '19:30–20:00' });
    const cart = makeCart([], { interval });
    const lost = (intervals: Schema<'Interval'>[]) =>
      lossesAt(cart, menuOf(), makeTimes({ intervals })).time;
    expect(lost([])).toEqual(interval);
    expect(lost([{ ...interval, disabled: true }])).toEqual(interval);
    expect(lost([interval])).toBeUndefined();
  });
});
