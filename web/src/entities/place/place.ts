import { useSyncExternalStore } from 'react';
import type { Schema } from '@/api/types';
import { detailNames } from '@/entities/address-form/details';
import { useCity } from '@/entities/city/context';
import { readStored, writeStored } from '@/lib/storage';
import { createKeyedStore } from '@/lib/store';

type OrderType = Schema<'OrderType'>;
type Shop = Schema<'Shop'>;
type Address = Schema<'DeliveryAddress'>;

/** The visitor's choice in a city. The shop is kept while delivery is chosen, and the address while takeaway is. */
interface Choice {
  orderType: OrderType;
  shop?: Shop;
  address?: Address;
}

/** Where and how the visitor orders. */
export interface OrderPlace extends Choice {
  cityId: number;
  /** The shop that the visitor comes to; absent for delivery and until one is chosen. */
  shopId?: number;
  /** The zone of the chosen address; absent for takeaway, for an address in no zone and until one is chosen. */
  zoneId?: number;
}

const keyOf = (cityId: number) => `place.${cityId}`;

const chosen = createKeyedStore((cityId: number): OrderPlace | null => {
  const stored = readStored(keyOf(cityId), isChoice);
  return stored ? toPlace(cityId, stored) : null;
});

/**
 * Returns the place in the city of the page. On the server and until something is chosen it is the
 * city's first order type.
 */
export function usePlace(): OrderPlace {
  const city = useCity();
  return useSyncExternalStore(
    chosen.subscribe,
    () => placeOf(city),
    () => firstPlace(city),
  );
}

/** Returns the way to order that is chosen in the city; renders again only when it changes, unlike usePlace. */
export function useOrderType(): OrderType {
  const city = useCity();
  return useSyncExternalStore(
    chosen.subscribe,
    () => placeOf(city).orderType,
    () => firstPlace(city).orderType,
  );
}

/** Returns the current place in a city; for calls, because a component may have rendered with an older place. */
export function placeOf(city: Schema<'City'>): OrderPlace {
  const place = chosen.get(city.id);
  return place && city.order_types[place.orderType] ? place : firstPlace(city);
}

/**
 * Changes the choice in a city and stores it on the device. A shop or an address that the change leaves out
 * stays.
 */
export function setPlace(cityId: number, change: Partial<Choice> & Pick<Choice, 'orderType'>) {
  const before = chosen.get(cityId);
  const shop = 'shop' in change ? change.shop : before?.shop;
  const address = 'address' in change ? change.address : before?.address;
  const place = toPlace(cityId, { orderType: change.orderType, shop, address });
  if (JSON.stringify(place) === JSON.stringify(before)) return;
  chosen.set(cityId, place);
  writeStored(keyOf(cityId), toStoredChoice(place));
}

/** Sets the place to that of the server's cart, which overrules the device's. */
export function followCart(cart: Schema<'Cart'>): void {
  if (cart.order_type === 'takeaway') {
    // A cart without a shop leaves the one that was chosen here.
    setPlace(cart.city_id, { orderType: 'takeaway', ...(cart.shop && { shop: cart.shop }) });
  } else {
    setPlace(cart.city_id, { orderType: 'delivery', address: cart.delivery_address });
  }
}

/** Reports whether a shop is chosen for takeaway, or for delivery an address that is delivered to. */
export const isPlaceChosen = ({ shopId, zoneId }: OrderPlace) => (shopId ?? zoneId) !== undefined;

/** Returns the place in the form of the calls' parameters. */
export const toQuery = (place: OrderPlace): Schema<'Place'> => ({
  city_id: place.cityId,
  order_type: place.orderType,
  shop_id: place.shopId,
  delivery_zone_id: place.zoneId,
});

/** Clears the memory, as a reload does: the places are read from the device again. */
export function clearPlaces(): void {
  chosen.clear();
}

/** Returns the place that a choice stands for, without a shop or an address of another city. */
function toPlace(cityId: number, { orderType, shop, address }: Choice): OrderPlace {
  const ownShop = shop?.city_id === cityId ? shop : undefined;
  const ownAddress = address?.city.id === cityId ? address : undefined;
  return {
    cityId,
    orderType,
    shop: ownShop,
    address: ownAddress,
    shopId: orderType === 'takeaway' ? ownShop?.id : undefined,
    zoneId: orderType === 'delivery' ? ownAddress?.delivery_zone_id : undefined,
  };
}

/** Returns the choice as the device stores it, without the details of the door, which only the courier needs. */
function toStoredChoice({ orderType, shop, address }: OrderPlace): Choice {
  if (!address) return { orderType, shop };
  const known = { ...address };
  for (const name of detailNames) delete known[name];
  return { orderType, shop, address: known };
}

const firstPlaces = new WeakMap<Schema<'City'>, OrderPlace>();

/**
 * Returns the place while nothing is chosen. It is the same object for a city each time, as
 * useSyncExternalStore requires.
 */
function firstPlace(city: Schema<'City'>): OrderPlace {
  const known = firstPlaces.get(city);
  if (known) return known;
  const orderType = city.order_types.delivery ? 'delivery' : 'takeaway';
  const place = toPlace(city.id, { orderType });
  firstPlaces.set(city, place);
  return place;
}

/** Reports whether a stored value has today's form; an older version may have stored another. */
function isChoice(value: unknown): value is Choice {
  const { orderType, shop, address } = (value ?? {}) as Record<keyof Choice, unknown>;
  const isAbsentOrHas = (part: unknown, id: string) =>
    part === undefined || (typeof part === 'object' && part !== null && id in part);
  return (
    (orderType === 'delivery' || orderType === 'takeaway') &&
    isAbsentOrHas(shop, 'city_id') &&
    isAbsentOrHas(address, 'city')
  );
}
