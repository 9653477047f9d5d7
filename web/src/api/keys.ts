import type { QueryClient } from '@tanstack/react-query';
import type { Schema } from './types';

type Place = Schema<'Place'>;

/** The facts that decide which intervals are offered. A fuller cart takes more of an interval than an emptier one. */
interface IntervalsQuery {
  place: Place;
  /** The day, `YYYY-MM-DD`; without it, the first day that has a time to choose. */
  date?: string;
  /** The fingerprint of the cart. */
  cart?: string;
  /** The id of the customer; a guest has none. */
  customer?: number;
}

/** The first part of every key that belongs to one visitor. */
const personal = 'personal';

/** The second part, after `personal`, of every key that belongs to a customer's account. */
const account = 'account';

/**
 * The key of every query but the settings of a payment, which only the payment page loads. The data of one visitor,
 * guest or customer, is under `personal`: it is removed when they sign out.
 */
export const keys = {
  cities: () => ['cities'] as const,
  city: (alias: string) => ['city', alias] as const,
  streets: (cityAlias: string) => ['streets', cityAlias] as const,
  shops: (cityId: number) => ['shops', cityId] as const,
  words: (alias: string, cityId: number | undefined) => ['words', alias, cityId ?? null] as const,
  /** Begins the keys of all menus. */
  menus: () => ['menu'] as const,
  menu: ({ city_id: city, order_type: type, shop_id: shop, delivery_zone_id: zone }: Place) =>
    ['menu', city, type, shop ?? null, zone ?? null] as const,
  product: (place: Place, name: string) => ['product', place, name] as const,
  related: (place: Place, groups: readonly number[]) => ['related', place, groups] as const,
  suggestions: (cityId: number, text: string) => ['suggestions', cityId, text] as const,
  addressCheck: (cityId: number, target: unknown) => ['address-check', cityId, target] as const,
  paymentTypes: ({ city_id: city, order_type: type, shop_id: shop }: Place) =>
    ['payment-types', city, type, shop ?? null] as const,

  /** Who is signed in; a sign-out sets it to nobody instead of removing it. */
  session: () => ['session'] as const,

  cart: (cityId: number) => [personal, 'cart', cityId] as const,
  intervals: {
    all: () => [personal, 'intervals'] as const,
    /** The times of one place and day, for any cart. */
    view: ({ place, date }: IntervalsQuery) =>
      [personal, 'intervals', place, date ?? null] as const,
    /** The times of one place and day, for the cart and the customer of the query. */
    of: (query: IntervalsQuery) =>
      [...keys.intervals.view(query), query.cart ?? null, query.customer ?? null] as const,
  },
  addresses: () => [personal, 'addresses'] as const,
  order: (orderId: number) => [personal, 'order', orderId] as const,
  courier: (orderId: number) => [personal, 'courier', orderId] as const,
  /** The state of the payment of an order, by its order cache key. */
  orderPayment: (orderKey: string) => [personal, 'order-payment', orderKey] as const,

  profile: () => [personal, account, 'profile'] as const,
  orders: {
    all: () => [personal, account, 'orders'] as const,
    page: (page: number) => [...keys.orders.all(), page] as const,
  },
  balance: () => [personal, account, 'balance'] as const,
  devices: () => [personal, account, 'devices'] as const,
};

/** Marks all personal data as outdated and reads again what is shown; for a change of who is signed in. */
export function rereadPersonal(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: [personal] });
}

/** Does the same for the personal data that a guest has too (cart, addresses, orders), not for data of an account. */
export function rereadAsGuest(client: QueryClient): Promise<void> {
  return client.invalidateQueries({
    queryKey: [personal],
    predicate: ({ queryKey: [, second] }) => second !== account,
  });
}

/** Removes the personal data that no shown component uses. */
export function removePersonal(client: QueryClient): void {
  client.removeQueries({ type: 'inactive', queryKey: [personal] });
}
