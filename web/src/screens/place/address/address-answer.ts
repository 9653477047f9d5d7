import type { Schema } from '@/api/types';

type Address = Schema<'DeliveryAddress'>;

/** What the visitor is asked for after their address was looked up. */
export type NextStep =
  /** The address is delivered to: the apartment is asked for. */
  | { step: 'details'; address: Address }
  /** Only the street is known. */
  | { step: 'house'; address: Address }
  /** The address is not delivered to: a shop is offered, or a message when that changes. */
  | { step: 'elsewhere'; address: Address; nearest?: Schema<'NearestShop'> }
  /** The address was not found: check the spelling, or point at it on the map. */
  | { step: 'unknown' };

/** Returns what to ask next, from the server's answer about a place. A point needs no house: the courier comes to it. */
export function nextStep(check: Schema<'AddressCheck'>, isPoint = false): NextStep {
  const { result, delivery_address: address, nearest_shop: nearest } = check;
  if (result === 'unknown' || !address) return { step: 'unknown' };
  if (result === 'not_available') return { step: 'elsewhere', address, nearest };
  return { step: address.type === 'street' && !isPoint ? 'house' : 'details', address };
}
