import { describe, expect, it } from 'vitest';
import type { Schema } from '@/api/types';
import { makeCart, makeGift, makeLine } from '@/testing/fixtures';
import { makeAddress, makeInterval, makePrices } from '@/testing/orders';
import { acknowledge, changesAtOrder, changesSince, updateAgreed } from './changes-since';

type Cart = Schema<'Cart'>;

const now = 1_795_285_000_000;
const roll = makeLine({ total: 12.5 });
const bag: Schema<'Package'> = {
  id: 9,
  alias: 'paket',
  name: 'Bag',
  price: 1,
  count: 1,
  can_refuse: true,
};
const home = { delivery_address: makeAddress(), delivery_zone_id: 101 };
const cartOf = (lines = [roll], own: Partial<Cart> = {}) => makeCart(lines, { ...home, ...own });

/** Returns the changes that are shown for the last of the carts, when the customer has seen the others before. */
const shown = (...carts: Cart[]) => {
  let agreed: ReturnType<typeof acknowledge> | undefined;
  let changes: ReturnType<typeof changesSince> = [];
  for (const cart of carts) {
    changes = changesSince(agreed, cart, now);
    agreed = updateAgreed(agreed, cart);
    // Taking a cart over must not change what is reported about it.
    expect(changesSince(agreed, cart, now)).toEqual(changes);
  }
  return changes;
};
const kinds = (...carts: Cart[]) => shown(...carts).map(({ kind }) => kind);

describe('what the customer does is no change', () => {
  it('a dish added, counted or removed', () => {
    const two = makeLine({ count: 2, total: 25 });
    const other = makeLine({ key: 'wok', total: 9 });
    expect(shown(cartOf(), cartOf([two, other]), cartOf([two]))).toEqual([]);
  });

  it('a gift removed that is still available', () => {
    const taken = makeGift({ count: 1 });
    expect(
      shown(cartOf([roll], { gifts: [taken] }), cartOf([roll], { gifts: [makeGift()] })),
    ).toEqual([]);
  });

  it('a code removed, with the gift that it brought', () => {
    const promocode = { code: 'WOK', is_active: true, text: '' };
    const gifts = [makeGift({ count: 1, type: 'promocodeGift' })];
    expect(shown(cartOf([roll], { promocode, gifts }), cartOf())).toEqual([]);
  });

  it('another time', () => {
    const interval = makeInterval({ id: 'b' });
    expect(
      shown(cartOf([roll], { interval: makeInterval() }), cartOf([roll], { interval })),
    ).toEqual([]);
  });

  it('delivery that becomes free with one more dish', () => {
    const paid = cartOf([roll], { prices: makePrices({ delivery: 3 }) });
    const free = cartOf([makeLine({ count: 2, total: 25 })], { prices: makePrices() });
    expect(shown(paid, free)).toEqual([]);
  });

  it('another address with another price of delivery', () => {
    const near = cartOf([roll], { prices: makePrices({ delivery: 3 }) });
    const far = cartOf([roll], {
      delivery_address: makeAddress({ id: 8 }),
      delivery_zone_id: 102,
      prices: makePrices({ delivery: 5 }),
    });
    expect(shown(near, far)).toEqual([]);
    expect(shown(far, near)).toEqual([]);
  });

  it('takeaway in place of delivery', () => {
    const paid = cartOf([roll], { prices: makePrices({ delivery: 3 }) });
    expect(shown(paid, makeCart([roll], { order_type: 'takeaway' }))).toEqual([]);
  });
});

describe('what changes without the customer', () => {
  it('is the price of a portion, old and new', () => {
    const dearer = makeLine({ price_with_modifiers: 14 });
    expect(shown(cartOf(), cartOf([dearer]))).toEqual([
      { kind: 'price', key: 'philadelphia', name: 'Philadelphia', before: 12.5, after: 14 },
    ]);
  });

  it('stays until they agree, whatever else they do', () => {
    const dearer = makeLine({ price_with_modifiers: 14 });
    const two = makeLine({ price_with_modifiers: 14, count: 2 });
    expect(kinds(cartOf(), cartOf([dearer]), cartOf([two]))).toEqual(['price']);
    expect(changesSince(acknowledge(cartOf([two])), cartOf([two]), now)).toEqual([]);
  });

  it('is no change when it changes back', () => {
    expect(shown(cartOf(), cartOf([makeLine({ price_with_modifiers: 14 })]), cartOf())).toEqual([]);
  });

  it('is a dish that runs out', () => {
    expect(kinds(cartOf(), cartOf([makeLine({ type: 'stop' })]))).toEqual(['unavailable']);
  });

  it('is a gift whose condition is lost', () => {
    const taken = makeGift({ count: 1 });
    const lost = makeGift({ conditions: [{ message: 'Add 5', validated: false }] });
    expect(shown(cartOf([roll], { gifts: [taken] }), cartOf([roll], { gifts: [lost] }))).toEqual([
      { kind: 'gift', key: 'gift.1', name: 'Miso soup', before: 1, after: 0 },
    ]);
  });

  it('is a gift that was removed, in the words that the server says once', () => {
    const taken = makeGift({ count: 1 });
    const lost = makeGift({ conditions: [{ message: 'Add 5', validated: false }] });
    const text = 'The gift “Miso soup” is no longer in the cart. Add 5';
    const messages = [{ position: 'top' as const, icon: 'gift', text }];
    const had = cartOf([roll], { gifts: [taken] });
    const left = cartOf([roll], { gifts: [lost], messages });
    const later = cartOf([roll], { gifts: [lost] });
    expect(shown(had, left)).toMatchObject([{ kind: 'gift', reason: text }]);
    expect(shown(had, left, later)).toMatchObject([{ kind: 'gift', reason: text }]);
    expect(shown(had, left, cartOf([roll], { gifts: [makeGift()] }))).toEqual([]);
  });

  it('is a present that has run out or is gone', () => {
    const own = makeGift({ type: 'personalGift', count: 2, max_count: 2 });
    const fewer = { ...own, count: 1, max_count: 1 };
    expect(
      kinds(cartOf([roll], { presents: [own] }), cartOf([roll], { presents: [fewer] })),
    ).toEqual(['gift']);
    expect(kinds(cartOf([roll], { presents: [own] }), cartOf())).toEqual(['gift']);
  });

  it('is a code that has no effect any more, with the reason', () => {
    const active = { code: 'WOK', is_active: true, text: '10% off' };
    const idle = { code: 'WOK', is_active: false, text: 'Add 5 more' };
    const [before, after] = [{ promocode: active }, { promocode: idle }];
    expect(shown(cartOf([roll], before), cartOf([roll], after))).toEqual([
      { kind: 'promocode', code: 'WOK', text: 'Add 5 more' },
    ]);
  });

  it('is the price of a package', () => {
    const dearer = { ...bag, price: 2 };
    expect(
      kinds(cartOf([roll], { packages: [bag] }), cartOf([roll], { packages: [dearer] })),
    ).toEqual(['package']);
  });

  it('is delivery to the same address, and delivery of the same order', () => {
    const near = cartOf([roll], { prices: makePrices({ delivery: 3 }) });
    const redrawn = cartOf([roll], { delivery_zone_id: 102, prices: makePrices({ delivery: 5 }) });
    const dearer = cartOf([roll], { prices: makePrices({ delivery: 5 }) });
    const change = { kind: 'delivery', before: 3, after: 5 };
    expect(shown(near, redrawn)).toEqual([change]);
    expect(shown(near, dearer)).toEqual([change]);
    const more = cartOf([makeLine({ count: 2 })], { prices: makePrices({ delivery: 5 }) });
    expect(shown(near, dearer, more)).toEqual([change]);
  });

  it('is no price of delivery to an address that is in no zone any more', () => {
    const near = cartOf([roll], { prices: makePrices({ delivery: 3 }) });
    const outside = cartOf([roll], { delivery_zone_id: undefined });
    expect(shown(near, outside)).toEqual([]);
    expect(shown(near, outside, near)).toEqual([]);
  });

  it('is a time that is gone, until it is long past', () => {
    const interval = makeInterval();
    const { start_timestamp, end_timestamp } = interval;
    expect(shown(cartOf([roll], { interval }), cartOf())).toEqual([
      { kind: 'time', time: expect.objectContaining({ id: 'asap', start_timestamp }) },
    ]);
    const agreed = acknowledge(cartOf([roll], { interval }));
    const dayLater = (end_timestamp + 86_400) * 1000;
    expect(changesSince(agreed, cartOf(), dayLater)).toEqual([]);
  });
});

describe('at the order', () => {
  it('every line and the total have to be those on the screen', () => {
    const wok = makeLine({ key: 'wok', name: 'Wok', total: 9 });
    const two = makeLine({ count: 2, total: 25 });
    expect(changesAtOrder(cartOf([roll, wok]), cartOf([two]))).toEqual([
      { kind: 'count', key: 'philadelphia', name: 'Philadelphia', before: 1, after: 2 },
      { kind: 'gone', key: 'wok', name: 'Wok' },
      { kind: 'total', before: 21.5, after: 25 },
    ]);
    expect(changesAtOrder(cartOf(), cartOf())).toEqual([]);
  });
});
