import { describe, expect, it } from 'vitest';
import { makeCart, makeLine } from '@/testing/fixtures';
import { changesSince } from './changes-since';
import { acknowledgementIn, agree, clearAcknowledgements, noteCart, refuseOrder } from './store';

const before = makeCart([makeLine()]);
const after = makeCart([makeLine({ price_with_modifiers: 14 })]);
const changes = () => changesSince(acknowledgementIn(1).agreed, after, 0);

describe('what was agreed to', () => {
  it('is stored over a reload and compared with the next cart', () => {
    noteCart(before);
    clearAcknowledgements();
    noteCart(after);
    expect(changes()).toMatchObject([{ kind: 'price', before: 12.5, after: 14 }]);
    agree(after);
    expect(changes()).toEqual([]);
  });

  it('is dropped with an empty cart, and stored for each city', () => {
    noteCart(before);
    noteCart({ ...before, city_id: 2 });
    noteCart(makeCart());
    expect(localStorage.getItem('agreed.1')).toBeNull();
    expect(localStorage.getItem('agreed.2')).toContain('Philadelphia');
  });

  it('is nothing when the device has stored something else', () => {
    localStorage.setItem('agreed.1', JSON.stringify({ value: { lines: 3 }, until: 9e15 }));
    expect(acknowledgementIn(1)).toEqual({});
  });

  it('keeps why an order was refused until the customer agrees', () => {
    noteCart(before);
    refuseOrder(1, { message: 'Look', changes: [] });
    noteCart(after);
    expect(acknowledgementIn(1).refused?.message).toBe('Look');
    agree(after);
    expect(acknowledgementIn(1).refused).toBeUndefined();
  });
});
