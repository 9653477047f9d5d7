import { describe, expect, it } from 'vitest';
import { makeGift } from '@/testing/fixtures';
import { controlOf, hintOf, nearGifts, nextGift, sortGifts } from './rules';

const conditions = (...validated: boolean[]) =>
  validated.map((one, place) => ({ message: `Condition ${place + 1}`, validated: one }));

describe('the control of a gift', () => {
  it('adds while none is taken, counts up to several, takes a single one out', () => {
    const several = makeGift({ max_count: 3 });
    expect(controlOf(several, 0)).toBe('add');
    expect(controlOf(several, 1)).toBe('counter');
    expect(controlOf(several, 3)).toBe('counter');
    expect(controlOf(makeGift(), 0)).toBe('add');
    expect(controlOf(makeGift(), 1)).toBe('remove');
  });

  it('is absent while it is not earned, is not available, or comes with a promocode', () => {
    expect(controlOf(makeGift({ conditions: conditions(true, false) }), 0)).toBe('none');
    expect(controlOf(makeGift({ is_available: false }), 0)).toBe('none');
    expect(controlOf(makeGift({ type: 'promocodeGift' }), 1)).toBe('none');
  });
});

describe('the hint of a gift', () => {
  it('names one unmet condition, lists two, and has no room for more', () => {
    expect(hintOf({ conditions: conditions(true) })).toBeUndefined();
    expect(hintOf({ conditions: conditions(true, false) })).toEqual({
      kind: 'list',
      messages: ['Condition 2'],
    });
    expect(hintOf({ conditions: conditions(false, true, false) })).toEqual({
      kind: 'list',
      messages: ['Condition 1', 'Condition 3'],
    });
    expect(hintOf({ conditions: conditions(false, false, false) })).toEqual({ kind: 'many' });
  });
});

it('the next gift is the one that the least sum is missing for', () => {
  const missing = (sum: number, ...others: boolean[]) => ({
    conditions: [
      { message: `Add ${sum}`, validated: false, missing: sum },
      ...conditions(...others),
    ],
  });
  const far = makeGift({ id: 1, ...missing(30) });
  const near = makeGift({ id: 2, ...missing(8, true) });
  const more = makeGift({ id: 3, ...missing(1, false) });
  const gone = makeGift({ id: 4, ...missing(1), alert: 'All are given away' });
  const timed = makeGift({ id: 5, conditions: conditions(false) });
  expect(nextGift([timed, far, near, more, gone])).toMatchObject({ gift: near, step: 'Add 8' });
  expect(nextGift([timed, more, makeGift()])).toBeUndefined();
});

it('gifts in the cart come first, then those that can be taken, each part in the given order', () => {
  const show = (id: number, count: number, own = {}) => ({ gift: makeGift({ id, ...own }), count });
  const far = { conditions: conditions(false) };
  const list = [
    show(1, 0, far),
    show(2, 0),
    show(3, 1),
    show(4, 0, { is_available: false }),
    show(5, 0),
  ];
  expect(sortGifts(list).map(({ gift }) => gift.id)).toEqual([3, 2, 5, 1, 4]);
});

describe('the gifts shown at once', () => {
  const show = (id: number, own: Parameters<typeof makeGift>[0] = {}, count = 0) => ({
    gift: makeGift({ id, ...own }),
    count,
  });
  const far = (id: number) => show(id, { conditions: conditions(false) });
  const lacking = (id: number, missing: number) =>
    show(id, { conditions: [{ message: 'more', validated: false, missing }] });
  const idsOf = (gifts: readonly { gift: { id: number } }[]) => gifts.map(({ gift }) => gift.id);

  it('are those in the cart, those that can be taken and the nearest of the others', () => {
    const gifts = [far(1), lacking(2, 900), lacking(3, 300), show(4), show(5, {}, 1), far(6)];
    expect(idsOf(nearGifts(gifts))).toEqual([3, 4, 5]);
  });

  it('are the first of the others where none lacks only a sum', () => {
    expect(idsOf(nearGifts([far(1), far(2), far(3)]))).toEqual([1]);
  });

  it('are all when only one would be left out', () => {
    expect(idsOf(nearGifts([far(1), show(2), lacking(3, 300)]))).toEqual([1, 2, 3]);
  });
});
