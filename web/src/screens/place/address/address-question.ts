import type { Schema } from '@/api/types';
import { metresBetween } from '@/entities/city/distance';

/** Up to this distance from the visitor, in metres, an address needs no confirmation. */
const nearEnough = 500;

/** Returns why choosing a saved address needs a confirmation; undefined when it needs none. */
export function reasonToAsk(
  address: Schema<'DeliveryAddress'>,
  cityId: number,
  position: Schema<'Coordinates'> | undefined,
): 'other-city' | 'far' | undefined {
  if (address.city.id !== cityId) return 'other-city';
  const isFar = position && metresBetween(position, address.map.coordinates) > nearEnough;
  return isFar ? 'far' : undefined;
}
