import type { Schema } from '@/api/types';

type Address = Schema<'DeliveryAddress'>;

/** The next step of the dialog after an address was looked up. */
export type NextStep =
  /** The shop delivers to the address: the form asks for the apartment. */
  | { step: 'details'; address: Address }
  /** Only the street is known. */
  | { step: 'house'; address: Address }
  /** Only the town is known. */
  | { step: 'street' }
  /** The address lies in another city of the brand, where it may be ordered. */
  | { step: 'other-city'; city: Schema<'OtherCity'> }
  /** No shop delivers to the address: the nearest shop is offered, or a message once delivery begins. */
  | { step: 'elsewhere'; address: Address; nearest?: Schema<'NearestShop'> }
  /** The address was not found: check the spelling, or point at it on the map. */
  | { step: 'unknown' };

/**
 * Returns the next step for the server's answer about a place. A point needs no house, because the courier comes
 * to the point.
 */
export function nextStep(check: Schema<'AddressCheck'>, isPoint = false): NextStep {
  const { result, delivery_address: address, nearest_shop: nearest, other_city: city } = check;
  if (city) return { step: 'other-city', city };
  if (address?.type === 'locality') return { step: 'street' };
  if (result === 'unknown' || !address) return { step: 'unknown' };
  if (result === 'not_available') return { step: 'elsewhere', address, nearest };
  return { step: address.type === 'street' && !isPoint ? 'house' : 'details', address };
}
