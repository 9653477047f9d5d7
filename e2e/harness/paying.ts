import { expect } from '@playwright/test';
import type { Bank } from './bank.ts';
import type { Caller, Schema } from './caller.ts';
import { fillCart, orderOf, type Place, takeaway } from './orders.ts';

/** A brand, a place and a dish for orders that are paid online. */
export interface Spot {
  brand: 'sushi' | 'shawarma' | 'pizza';
  city: string;
  place: Place;
  dish: string;
  /** The consents that the law there requires. */
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
  /** The path of its payment page. */
  path: string;
  total: number;
  spot: Spot;
  caller: Caller;
}

type PaymentType = Schema<'PaymentTypeAlias'>;

/** Returns the id of the first free interval of a place; throws when there is none. */
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

/** Places an order of two dishes without a page. The order waits for its payment, and the cart stays full. */
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

/** How an order that is paid online ends. */
export type Ending = 'waiting' | 'paid' | 'canceled' | 'refunded';

const statusOf: Record<Ending, Schema<'OrderStatusAlias'>> = {
  waiting: 'waiting_for_payment',
  paid: 'accepted',
  canceled: 'canceled',
  refunded: 'canceled',
};

/**
 * Waits until the order, the shop's books, the bank's books and the cart agree with the ending. For a paid order
 * its total was captured by one payment attempt, and the cart is empty. Otherwise no money is left captured, and
 * the cart is full. `attempts` is the number of payment attempts; any number without it.
 */
export async function expectAgreement(order: OnlineOrder, bank: Bank, ending: Ending, attempts?: number): Promise<void> {
  const isPaid = ending === 'paid';
  await expect
    .poll(() => booksOf(order, bank), { message: `order and money agree: ${ending}`, timeout: 60_000 })
    .toEqual({
      status: statusOf[ending],
      kept: isPaid ? order.total : 0,
      keptByBank: isPaid ? order.total : 0,
      // An order that its deadline has canceled may have been paid too late and refunded: `refunded`.
      refunded: ending === 'refunded' ? order.total : 0,
      paying: isPaid ? 1 : 0,
      cart: isPaid ? 'empty' : 'full',
      attempts: attempts ?? expect.any(Number),
    });
}

/** Reads the order, the shop's books, the bank's books and the cart, and sums their payments up. */
async function booksOf({ id, spot, caller }: OnlineOrder, bank: Bank) {
  const { order } = await caller.ask<{ order: Schema<'Order'> }>('GET', `/order/${id}`);
  const attempts = await attemptsOf(caller, id);
  const taken = attempts.filter(({ state }) => state === 'paid');
  const ofBank = (await Promise.all(attempts.map((attempt) => bank.payments(attempt.id)))).flat();
  const takenByBank = ofBank.filter(({ state }) => state === 'paid');
  const { cart } = await caller.ask<Schema<'CartAnswer'>>('PUT', '/cart', spot.place);
  const sum = (amounts: number[]) => Math.round(100 * amounts.reduce((total, amount) => total + amount, 0)) / 100;
  return {
    status: order.status.alias,
    kept: sum(taken.map(({ amount, refunded }) => amount - refunded)),
    keptByBank: sum(takenByBank.map(({ amount, refunded }) => Number(amount) - Number(refunded))),
    refunded: sum(taken.map(({ refunded }) => refunded)),
    paying: taken.filter(({ amount, refunded }) => amount > refunded).length,
    cart: cart.count === 0 ? 'empty' : 'full',
    attempts: attempts.length,
  };
}

/** Returns the payment attempts of an order, the oldest first. */
export async function attemptsOf(caller: Caller, id: number): Promise<Schema<'OperatorPayment'>[]> {
  const { payments } = await caller.operate<{ payments: Schema<'OperatorPayment'>[] }>('GET', `/orders/${id}/payments`);
  return payments;
}

/** Returns the newest payment attempt of an order; throws when there is none. */
export async function lastAttempt(caller: Caller, id: number): Promise<Schema<'OperatorPayment'>> {
  const last = (await attemptsOf(caller, id)).at(-1);
  if (!last) throw new Error(`nobody has tried to pay order ${id}`);
  return last;
}
