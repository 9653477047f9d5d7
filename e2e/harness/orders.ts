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

/** A product of the menu at a place, by its alias. */
export async function product(caller: Caller, place: Place, alias: string) {
  const menu = await caller.ask<Schema<'Menu'>>('POST', '/products', place);
  const found = menu.product_groups
    .flatMap((group) => group.products)
    .find((item) => item.alias === alias);
  if (!found) throw new Error(`${alias} is not on the menu`);
  return found;
}

/** Puts a product without modifiers into the caller's cart. */
export async function fillCart(caller: Caller, place: Place, alias: string, count: number) {
  const { key } = await product(caller, place, alias);
  const { cart } = await caller.ask<Schema<'CartAnswer'>>('PUT', '/cart/add', {
    ...place,
    product_key: key,
    count,
  });
  return cart;
}

/** What a page would send to order the cart as it is. */
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

/** Orders for takeaway without a page; some dishes for as soon as possible or a given time. */
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
