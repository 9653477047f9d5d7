import type { Schema } from '@/api/types';
import { metresBetween } from '@/entities/city/distance';
import { fold } from '@/lib/fold';

type Shop = Schema<'Shop'>;

export interface FoundShop {
  shop: Shop;
  /** Metres from the visitor; absent while their position is not known. */
  distance?: number;
}

/**
 * Returns the shops to choose from for takeaway: those that sell it. In a city without takeaway, or where none of
 * the shops sells it, these are all shops.
 */
export function takeawayShops(shops: readonly Shop[], city: Schema<'City'>): readonly Shop[] {
  if (!city.order_types.takeaway) return shops;
  // Answers that the worker has stored for use without a network may be older than the order types of shops.
  const selling = shops.filter(({ order_types: types }) => types?.takeaway);
  return selling.length > 0 ? selling : shops;
}

/**
 * Returns the shops whose name or street contains the text, all folded. With a position the
 * nearest comes first; shops that take no orders come last.
 */
export function findShops(
  shops: readonly Shop[],
  text: string,
  position?: Schema<'Coordinates'>,
): FoundShop[] {
  const wanted = fold(text.trim());
  const found = shops
    .filter(
      ({ name, address }) => fold(name).includes(wanted) || fold(address.street).includes(wanted),
    )
    .map((shop) => ({
      shop,
      distance: position && metresBetween(position, shop.map.coordinates),
    }));
  return found.sort(
    (a, b) =>
      Number(isStopped(a.shop)) - Number(isStopped(b.shop)) ||
      (a.distance ?? 0) - (b.distance ?? 0),
  );
}

/** Reports whether the shop takes no orders at all, now or for later. */
export const isStopped = (shop: Shop) => shop.type === 'stop';
