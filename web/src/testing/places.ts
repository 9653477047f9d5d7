import type { Schema } from '@/api/types';
import { makeAddress } from './orders';

/** Returns a shop of the fixtures' city that works now and sells both for delivery and for takeaway. */
export function makeShop(own: Partial<Schema<'Shop'>> = {}): Schema<'Shop'> {
  return {
    id: 1,
    city_id: 1,
    name: 'Mitte',
    type: 'default',
    order_types: { delivery: true, takeaway: true },
    address: { street: 'Torstraße 5' },
    map: { coordinates: { latitude: 52.53, longitude: 13.4 }, zoom: 15 },
    tags: [],
    schedule: { month: {}, default: {}, custom: {}, working_time: [] },
    open_state: { open: true, text: 'Open until 23:00' },
    cooking_time: 20,
    ...own,
  };
}

/** Returns an address as a look-up returns it: not chosen yet, with the conditions of its zone. */
export function makeFoundAddress(
  own: Partial<Schema<'DeliveryAddress'>> = {},
): Schema<'DeliveryAddress'> {
  return makeAddress({
    id: undefined,
    type: 'house',
    delivery_prices: { delivery: 2.5, minimum_order_amount: 20, has_free_delivery: true },
    delivery_time: 45,
    ...own,
  });
}
