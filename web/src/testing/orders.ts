import type { Schema } from '@/api/types';
import { makeCart, makeLine } from './fixtures';

const twoPortions = { count: 2, total: 25 };

/** Returns the status of an order that was just accepted. */
export function makeStatus(own: Partial<Schema<'OrderStatus'>> = {}): Schema<'OrderStatus'> {
  return {
    alias: 'accepted',
    name: 'Accepted',
    description: 'We have your order. We will bring it by 19:40.',
    original_status: 'accepted',
    changed_at: '2026-11-21T18:00:00Z',
    final: false,
    can_cancel: true,
    can_repeat: false,
    steps: [
      { alias: 'accepted', name: 'Accepted', reached_at: '2026-11-21T18:00:00Z' },
      { alias: 'cooking', name: 'Cooking' },
      { alias: 'sent', name: 'On its way' },
      { alias: 'done', name: 'Delivered' },
    ],
    ...own,
  };
}

/** Returns the prices of an order or a cart that has dishes only. */
export function makePrices(own: Partial<Schema<'Prices'>> = {}): Schema<'Prices'> {
  return {
    subtotal: 25,
    delivery: 0,
    packages: 0,
    discount: 0,
    bonuses: 0,
    upcoming_bonuses: 0,
    total: 25,
    ...own,
  };
}

/** Returns an address in the fixtures' city that we deliver to. */
export function makeAddress(
  own: Partial<Schema<'DeliveryAddress'>> = {},
): Schema<'DeliveryAddress'> {
  return {
    id: 7,
    city: {
      id: 1,
      alias: 'berlin',
      name: 'Berlin',
      country: { id: 1, code: 'DE', name: 'Germany' },
      type: 'default',
      order_types: { delivery: true, takeaway: true },
    },
    address: 'Torstraße 12',
    full_address: 'Berlin, Torstraße 12',
    map: { coordinates: { latitude: 52.53, longitude: 13.4 }, zoom: 15 },
    delivery_possible: true,
    found: true,
    delivery_zone_id: 101,
    ...own,
  };
}

/** Returns the shop that took an order, with its company. */
export function makeSeller(own: Partial<Schema<'OrderSeller'>> = {}): Schema<'OrderSeller'> {
  return {
    name: 'Mitte',
    street: 'Linienstraße 40',
    coordinates: { latitude: 52.527, longitude: 13.405 },
    company_name: 'Umiko Berlin GmbH',
    ...own,
  };
}

/** Returns a delivery paid in cash, just accepted. */
export function makeOrder(own: Partial<Schema<'Order'>> = {}): Schema<'Order'> {
  return {
    order_id: 12345678,
    order_type: 'delivery',
    status: makeStatus(),
    delivery_address: makeAddress(),
    payment_type: { alias: 'cash', name: 'Cash', is_online: false },
    username: 'Anna',
    phone: '4930123456',
    city_id: 1,
    city_alias: 'berlin',
    currency: 'EUR',
    asap: true,
    promised_from: '2026-11-21T18:30:00Z',
    promised_to: '2026-11-21T18:40:00Z',
    created_at: '2026-11-21T18:00:00Z',
    link: 'secret',
    courier_tracking: true,
    is_brief: false,
    cart: { products: [makeLine(twoPortions)], packages: [], gifts: [], prices: makePrices() },
    ...own,
  };
}

/** Returns a cart that can be ordered: two portions, the fixtures' address, a time chosen. */
export function makeReadyCart(own: Partial<Schema<'Cart'>> = {}): Schema<'Cart'> {
  return makeCart([makeLine(twoPortions)], {
    delivery_address: makeAddress(),
    delivery_zone_id: 101,
    interval: makeInterval(),
    ...own,
  });
}

/** Returns the times of today, one of which is available. */
export function makeTimes(own: Partial<Schema<'Intervals'>> = {}): Schema<'Intervals'> {
  return {
    now: 2_110_817_400,
    date: '2026-11-21',
    date_today: '2026-11-21',
    dates: [],
    intervals: [makeInterval()],
    ...own,
  };
}

/** Returns a time that is available, in twenty minutes. */
export function makeInterval(own: Partial<Schema<'Interval'>> = {}): Schema<'Interval'> {
  return {
    id: 'asap',
    title: 'As soon as possible',
    day_name: 'Saturday',
    date_string: '2026-11-21',
    formatted_string: 'November 21',
    is_today: true,
    is_tomorrow: false,
    disabled: false,
    asap: true,
    start_timestamp: 2_110_818_600,
    end_timestamp: 2_110_819_200,
    ...own,
  };
}
