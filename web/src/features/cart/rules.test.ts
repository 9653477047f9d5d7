import { describe, expect, it } from 'vitest';
import type { Schema } from '@/api/types';
import type { OrderPlace } from '@/features/city/place';
import { orderObstacle } from './rules';

const cart = { count: 2 } as Schema<'Cart'>;
const address = {} as Schema<'DeliveryAddress'>;
const delivery: OrderPlace = { cityId: 1, orderType: 'delivery', address };
const takeaway: OrderPlace = { cityId: 1, orderType: 'takeaway', shopId: 3 };
const guest = { isLoginNeeded: false, isLoggedIn: false };

const kindOf = (given: Partial<Parameters<typeof orderObstacle>[0]>) =>
  orderObstacle({ cart, place: delivery, ...guest, ...given });

describe('orderObstacle', () => {
  it('finds none when the cart, the place and the minimum are there', () => {
    expect(kindOf({})).toBeNull();
    expect(kindOf({ place: takeaway })).toBeNull();
  });

  it('stops an empty cart and one that has not come yet', () => {
    expect(kindOf({ cart: { ...cart, count: 0 } })).toEqual({ kind: 'empty' });
    expect(kindOf({ cart: undefined })).toEqual({ kind: 'empty' });
  });

  it('wants a login only where the brand does', () => {
    expect(kindOf({ isLoginNeeded: true })).toEqual({ kind: 'login' });
    expect(kindOf({ isLoginNeeded: true, isLoggedIn: true })).toBeNull();
  });

  it('wants a shop for takeaway and an address for delivery', () => {
    expect(kindOf({ place: { ...takeaway, shopId: undefined } })).toEqual({ kind: 'shop' });
    expect(kindOf({ place: { ...delivery, address: undefined } })).toEqual({ kind: 'address' });
  });

  it('tells what is missing for the minimum of a delivery', () => {
    const minimum = { kind: 'order', amount: 700, missing: 120 } as const;
    expect(kindOf({ cart: { ...cart, minimum } })).toEqual({ kind: 'minimum', missing: 120 });
    expect(kindOf({ cart: { ...cart, minimum }, place: takeaway })).toBeNull();
  });

  it('lets an order below the free delivery through', () => {
    const minimum = { kind: 'free_delivery', amount: 700, missing: 120 } as const;
    expect(kindOf({ cart: { ...cart, minimum } })).toBeNull();
  });
});
