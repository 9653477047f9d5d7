import { expect } from '@playwright/test';
import type { Bank } from './bank.ts';
import type { Caller, Schema } from './caller.ts';
import { fillCart, orderOf, type Place, takeaway } from './orders.ts';

/** Where and what is ordered to be paid online. */
export interface Spot {
  brand: 'sushi' | 'shawarma' | 'pizza';
  city: string;
  place: Place;
  dish: string;
  /** What the law there asks customers to agree to. */
  consents?: string[];
}

/** Cards are entered on the bank's page. */
export const sushiInMoscow: Spot = { brand: 'sushi', city: 'moscow', place: takeaway, dish: 'edamame' };

/** Cards are entered on the shop's page. */
export const pizzaInMoscow: Spot = {
  brand: 'pizza',
  city: 'moscow',
  place: { ...takeaway, shop_id: 302 },
  dish: 'tiramisu',
};

/** Wallets are taken. */
export const pizzaInBerlin: Spot = {
  brand: 'pizza',
  city: 'berlin',
  place: { city_id: 7, order_type: 'takeaway', shop_id: 308 },
  dish: 'tiramisu',
  consents: ['terms'],
};

/** An order that is paid online. */
export interface OnlineOrder {
  id: number;
  /** Where it is paid. */
  path: string;
  total: number;
  spot: Spot;
  caller: Caller;
}

type PaymentType = Schema<'PaymentTypeAlias'>;

/** The first time at which the caller can have something of the place. */
async function firstTime(caller: Caller, place: Place): Promise<string> {
  const ask = (date?: string) => caller.ask<Schema<'Intervals'>>('POST', '/schedule/intervals', { ...place, date });
  const today = await ask();
  for (const { date_string: date } of today.dates) {
    const { intervals } = await ask(date);
    const free = intervals.find((interval) => !interval.disabled);
    if (free) return free.id;
  }
  throw new Error(`nothing can be had in ${place.city_id}`);
}

/** Places an order without a page that waits for its payment; the cart stays full. */
export async function orderToPay(caller: Caller, spot: Spot, type: PaymentType): Promise<OnlineOrder> {
  const { place, city, dish, consents } = spot;
  await fillCart(caller, place, dish, 2);
  const { cart } = await caller.ask<Schema<'CartAnswer'>>('PUT', '/cart/set-interval', {
    city_id: place.city_id,
    interval: await firstTime(caller, place),
  });
  const order = { ...(await orderOf(caller, place, cart)), payment_type: type, consents };
  const created = await caller.ask<Schema<'OrderCreated'>>('POST', '/order/create', order);
  expect(created.status).toBe('waiting_for_payment');
  const path = `/${city}/order/payment/${order.order_cache_key}`;
  return { id: created.order_id, path, total: cart.prices.total, spot, caller };
}

/** What became of an order that is paid online. */
export type Ending = 'waiting' | 'paid' | 'canceled' | 'refunded';

const statusOf: Record<Ending, Schema<'OrderStatusAlias'>> = {
  waiting: 'waiting_for_payment',
  paid: 'accepted',
  canceled: 'canceled',
  refunded: 'canceled',
};

/**
 * Expects the order, the shop's books, the bank's books and the cart to agree: what was taken is the
 * order's total or was given back, by one try at most, and the cart is empty exactly when the order is paid.
 */
export async function agree(order: OnlineOrder, bank: Bank, ending: Ending, tries?: number): Promise<void> {
  const isPaid = ending === 'paid';
  await expect
    .poll(() => booksOf(order, bank), { message: `order and money agree: ${ending}`, timeout: 60_000 })
    .toEqual({
      status: statusOf[ending],
      kept: isPaid ? order.total : 0,
      keptByBank: isPaid ? order.total : 0,
      // A deadline cancels before what is taken too late has come and gone back.
      refunded: ending === 'refunded' ? order.total : 0,
      paying: isPaid ? 1 : 0,
      cart: isPaid ? 'empty' : 'full',
      ...(tries === undefined ? { tries: expect.any(Number) } : { tries }),
    });
}

/** Reads what the order, the shop's books, the bank's books and the cart say; tries are counted in all. */
async function booksOf({ id, spot, caller }: OnlineOrder, bank: Bank) {
  const { order } = await caller.ask<{ order: Schema<'Order'> }>('GET', `/order/${id}`);
  const tries = await triesOf(caller, id);
  const taken = tries.filter(({ state }) => state === 'paid');
  const known = (await Promise.all(tries.map((one) => bank.payments(one.id)))).flat();
  const kept = known.filter(({ state }) => state === 'paid');
  const { cart } = await caller.ask<Schema<'CartAnswer'>>('PUT', '/cart', spot.place);
  const sum = (sums: number[]) => Math.round(100 * sums.reduce((all, one) => all + one, 0)) / 100;
  return {
    status: order.status.alias,
    kept: sum(taken.map(({ amount, refunded }) => amount - refunded)),
    keptByBank: sum(kept.map(({ amount, refunded }) => Number(amount) - Number(refunded))),
    refunded: sum(taken.map(({ refunded }) => refunded)),
    paying: taken.filter(({ amount, refunded }) => amount > refunded).length,
    cart: cart.count === 0 ? 'empty' : 'full',
    tries: tries.length,
  };
}

/** The tries to pay an order, the first one first. */
export async function triesOf(caller: Caller, id: number): Promise<Schema<'OperatorPayment'>[]> {
  const { payments } = await caller.operate<{ payments: Schema<'OperatorPayment'>[] }>('GET', `/orders/${id}/payments`);
  return payments;
}

/** The newest try to pay an order. */
export async function lastTry(caller: Caller, id: number): Promise<Schema<'OperatorPayment'>> {
  const last = (await triesOf(caller, id)).at(-1);
  if (!last) throw new Error(`nobody has tried to pay order ${id}`);
  return last;
}
