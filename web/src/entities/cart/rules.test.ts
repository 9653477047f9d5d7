import { describe, expect, it } from 'vitest';
import type { Schema } from '@/api/types';
import { orderObstacle } from './rules';

type Cart = Schema<'Cart'>;

const line = { name: 'Philadelphia', type: 'default' } as Schema<'CartProduct'>;
const cart = { products: { '1-1': line } } as unknown as Cart;
const address = {} as Schema<'DeliveryAddress'>;
const delivery = { orderType: 'delivery', address, zoneId: 101 } as const;
const takeaway = { orderType: 'takeaway', shopId: 3 } as const;
const open = { type: 'default' } as const;

describe('orderObstacle', () => {
  it('finds none when the cart, the place and the minimum are there', () => {
    expect(orderObstacle(cart, delivery, open)).toBeUndefined();
    expect(orderObstacle(cart, takeaway, open)).toBeUndefined();
  });

  it('stops an empty cart', () => {
    expect(orderObstacle({ ...cart, products: {} }, delivery, open)).toEqual({ kind: 'empty' });
  });

  it('asks for a shop for takeaway and an address for delivery', () => {
    expect(orderObstacle(cart, { orderType: 'takeaway' }, open)).toEqual({ kind: 'shop' });
    expect(orderObstacle(cart, { orderType: 'delivery' }, open)).toEqual({
      kind: 'address',
      isOutside: false,
    });
  });

  it('asks for another address when the chosen one is in no zone', () => {
    expect(orderObstacle(cart, { orderType: 'delivery', address }, open)).toEqual({
      kind: 'address',
      isOutside: true,
    });
  });

  it('says what is missing for the minimum of a delivery', () => {
    const below: Cart = { ...cart, minimum: { kind: 'order', amount: 700, missing: 120 } };
    const shown = { kind: 'minimum', amount: 700, missing: 120 };
    expect(orderObstacle(below, delivery, open)).toEqual(shown);
    expect(orderObstacle(below, takeaway, open)).toBeUndefined();
  });

  it('lets an order below the free delivery through', () => {
    const paid: Cart = { ...cart, minimum: { kind: 'free_delivery', amount: 700, missing: 120 } };
    expect(orderObstacle(paid, delivery, open)).toBeUndefined();
  });

  it('names the line that is not available', () => {
    const lost = { ...cart, products: { '1-1': { ...line, type: 'stop' as const } } };
    expect(orderObstacle(lost, delivery, open)).toEqual({ kind: 'line', name: 'Philadelphia' });
  });

  it('names the reason of a stopped kitchen, also for a delivery', () => {
    const stopped: Cart = { ...cart, stop: { alert: 'No gas today' } };
    const shown = { kind: 'stopped', alert: 'No gas today' };
    expect(orderObstacle(stopped, delivery, open)).toEqual(shown);
    expect(orderObstacle(stopped, takeaway, open)).toEqual(shown);
  });

  it('names the reason of a stopped city first', () => {
    const stopped = { type: 'stop', alert: 'No gas today' } as const;
    expect(orderObstacle(cart, delivery, stopped)).toEqual({
      kind: 'stopped',
      alert: 'No gas today',
    });
  });
});
