import type { Schema } from '@/api/types';
import { metresBetween } from '@/entities/city/distance';

/** How far from the visitor an address may be without a question, in metres. */
const nearEnough = 500;

/** Why a saved address should not be taken without asking; nothing when there is no reason. */
export function reasonToAsk(
  address: Schema<'DeliveryAddress'>,
  cityId: number,
  position: Schema<'Coordinates'> | undefined,
): 'other-city' | 'far' | undefined {
  if (address.city.id !== cityId) return 'other-city';
  const isFar = position && metresBetween(position, address.map.coordinates) > nearEnough;
  return isFar ? 'far' : undefined;
}
