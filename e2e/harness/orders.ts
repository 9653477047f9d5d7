import type { Caller, Schema } from './caller.ts';

/** Places and dishes of the demo that the journeys rely on: both shops work around the clock. */
export const moscow = {
  id: 1,
  /** Sushi brand. */
  sushiShop: 102,
  /** A house in the zone of that shop; the zone has a hard minimum. */
  house: 'Новослободская улица, 20',
  hardMinimum: 700,
  /** A house that no zone covers. */
  outside: 'Таганская улица, 58',
};

export type Place = Schema<'Place'>;

export const takeaway: Place = {
  city_id: moscow.id,
  order_type: 'takeaway',
  shop_id: moscow.sushiShop,
};

/** Returns the product of the menu at a place by its alias; throws when there is none. */
export async function product(caller: Caller, place: Place, alias: string) {
  const menu = await caller.ask<Schema<'Menu'>>('POST', '/products', place);
  const found = menu.product_groups
    .flatMap((group) => group.products)
    .find((item) => item.alias === alias);
  if (!found) throw new Error(`${alias} is not on the menu`);
  return found;
}

/** Puts a product without modifiers into the caller's cart and returns the cart. */
export async function fillCart(caller: Caller, place: Place, alias: string, count: number) {
  const { key } = await product(caller, place, alias);
  const { cart } = await caller.ask<Schema<'CartAnswer'>>('PUT', '/cart/add', {
    ...place,
    product_key: key,
    count,
  });
  return cart;
}

/** Begins the checkout and returns the body by which a page orders the cart, for cash. */
export async function orderOf(
  caller: Caller,
  place: Place,
  cart: Schema<'Cart'>,
): Promise<Schema<'OrderCreate'>> {
  const cache = await caller.ask<Schema<'OrderCache'>>('POST', '/order/create-order-cache', place);
  return {
    ...place,
    order_cache_key: cache.order_cache_key,
    phone: '79161234567',
    username: 'Анна',
    payment_type: 'cash',
    interval_id: cart.interval?.id,
    cart: { prices: { total: cart.prices.total } },
  };
}

interface Ordered {
  place: Place;
  alias: string;
  count: number;
  interval: string;
}

/**
 * Fills the caller's cart and places the order without a page: by default one dish for takeaway, as soon as
 * possible.
 */
export async function placeOrder(
  caller: Caller,
  { place = takeaway, alias = 'edamame', count = 1, interval = 'asap' }: Partial<Ordered> = {},
): Promise<Schema<'OrderCreated'>> {
  await fillCart(caller, place, alias, count);
  const { cart } = await caller.ask<Schema<'CartAnswer'>>('PUT', '/cart/set-interval', {
    city_id: place.city_id,
    interval,
  });
  const order = await orderOf(caller, place, cart);
  return caller.ask<Schema<'OrderCreated'>>('POST', '/order/create', order);
}
