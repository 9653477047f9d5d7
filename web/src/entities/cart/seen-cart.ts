import type { Schema } from '@/api/types';
import { readStored, writeStored } from '@/lib/storage';

type Cart = Schema<'Cart'>;

const keyOf = (cityId: number) => `seen-cart.${cityId}`;

/** Stores the cart as it was last seen, to be read without a network. */
export const writeSeenCart = (cart: Cart): boolean => writeStored(keyOf(cart.city_id), cart);

/** Returns the cart as it was last seen in a city. */
export const readSeenCart = (cityId: number): Cart | undefined => readStored(keyOf(cityId), isCart);

/** Reports whether a stored value has today's form; an older version may have stored another. */
function isCart(value: unknown): value is Cart {
  const stored = (value ?? {}) as Record<keyof Cart, unknown>;
  return [stored.products, stored.prices, stored.packages].every(
    (part) => typeof part === 'object' && part !== null,
  );
}
