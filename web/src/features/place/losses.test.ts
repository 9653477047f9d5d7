import { describe, expect, it } from 'vitest';
import { makeCart, makeGroup, makeLine, makeProduct } from '@/testing/fixtures';
import { makeInterval } from '@/testing/orders';
import { isNothing, lossesAt } from './losses';

const menuOf = (...products: ReturnType<typeof makeProduct>[]) => ({
  product_groups: [makeGroup({ products })],
  popular_products: [],
});

describe('losses at another place', () => {
  it('are nothing where everything is sold and the time is the soonest', () => {
    const cart = makeCart([makeLine()], { interval: makeInterval() });
    expect(isNothing(lossesAt(cart, menuOf(makeProduct())))).toBe(true);
  });

  it('name the dishes that are not sold there or stopped', () => {
    const cart = makeCart([makeLine(), makeLine({ key: 'wok', name: 'Wok' })]);
    const menu = menuOf(makeProduct(), makeProduct({ key: 'wok', type: 'stop' }));
    expect(lossesAt(cart, menu).products).toEqual(['Wok']);
    expect(lossesAt(cart, menuOf()).products).toEqual(['Philadelphia', 'Wok']);
  });

  it('have the chosen time among them', () => {
    const interval = makeInterval({ asap: false, title: '19:30–20:00' });
    expect(lossesAt(makeCart([], { interval }), menuOf()).time).toBe('19:30–20:00');
  });
});
