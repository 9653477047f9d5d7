import { beforeEach, expect, it } from 'vitest';
import { forgetOffline } from '@/entities/session/forget-offline';
import { writeStored } from '@/lib/storage';
import { makeCart } from '@/testing/fixtures';
import { readSeenCart, writeSeenCart } from './seen-cart';

beforeEach(() => localStorage.clear());

it('the cart of each city is read as it was last seen, until the visitor leaves', () => {
  const cart = makeCart();
  writeSeenCart(cart);
  expect(readSeenCart(cart.city_id)).toEqual(cart);
  expect(readSeenCart(cart.city_id + 1)).toBeUndefined();
  forgetOffline();
  expect(readSeenCart(cart.city_id)).toBeUndefined();
});

it('what is no cart is not shown as one', () => {
  for (const value of [null, 'cart', { products: {}, prices: null, packages: [] }]) {
    writeStored('seen-cart.1', value);
    expect(readSeenCart(1)).toBeUndefined();
  }
});
