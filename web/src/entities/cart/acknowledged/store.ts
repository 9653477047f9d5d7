import type { Schema } from '@/api/types';
import { readStored, removeStored, writeStored } from '@/lib/storage';
import { createKeyedStore } from '@/lib/store';
import {
  type AcknowledgedCart,
  acknowledge,
  type OrderChange,
  updateAgreed,
} from './changes-since';

type Cart = Schema<'Cart'>;

/** The reason why an order was refused. It is kept until the customer agrees. */
export interface Refused {
  /** In the server's words; empty when it said nothing. */
  message: string;
  changes: readonly OrderChange[];
  /** Whether the chosen time was the reason; then a choice of another time settles the refusal. */
  isAboutTime?: boolean;
}

interface State {
  agreed?: AcknowledgedCart;
  refused?: Refused;
}

const keyOf = (cityId: number) => `agreed.${cityId}`;
const nothing: State = {};

/** The agreed carts and refusals of each city. The agreed carts are loaded from the device. */
export const acknowledgements = createKeyedStore((cityId: number): State => {
  const agreed = readStored(keyOf(cityId), isAcknowledgedCart);
  return agreed ? { agreed } : nothing;
});

/** Returns the agreed cart of a city and the last refusal of an order there. */
export const acknowledgementIn = (cityId: number): State => acknowledgements.get(cityId);

/**
 * Updates the agreed cart by an answer of the server, and settles a refusal about the time when a time is
 * chosen. An empty cart removes both.
 */
export function noteCart(cart: Cart): void {
  const { agreed, refused } = acknowledgementIn(cart.city_id);
  const isEmpty = Object.keys(cart.products).length === 0;
  const isSettled = refused?.isAboutTime && cart.interval !== undefined;
  const next = { agreed: updateAgreed(agreed, cart), refused: isSettled ? undefined : refused };
  putState(cart.city_id, isEmpty ? nothing : next);
}

/**
 * Stores that the customer agrees to the cart, and removes the refusal. A lost time stays a change until another
 * is chosen.
 */
export function agree(cart: Cart): void {
  const { agreed } = acknowledgementIn(cart.city_id);
  const next = acknowledge(cart);
  putState(cart.city_id, { agreed: { ...next, time: next.time ?? agreed?.time } });
}

/** Stores that an order was refused because the server's cart differs from the shown one. */
export function refuseOrder(cityId: number, refused: Refused): void {
  putState(cityId, { ...acknowledgementIn(cityId), refused });
}

/** Clears the memory, as a reload does. */
export function clearAcknowledgements(): void {
  acknowledgements.clear();
}

/** Sets the state of a city, and stores its agreed cart on the device. An equal state changes nothing. */
function putState(cityId: number, state: State): void {
  const before = acknowledgementIn(cityId);
  if (JSON.stringify(before) === JSON.stringify(state)) return;
  acknowledgements.set(cityId, state);
  if (state.agreed) writeStored(keyOf(cityId), state.agreed);
  else removeStored(keyOf(cityId));
}

/** Reports whether a stored value has today's form; an older version may have stored another. */
function isAcknowledgedCart(value: unknown): value is AcknowledgedCart {
  const kept = (value ?? {}) as Record<keyof AcknowledgedCart, unknown>;
  const isRecord = (part: unknown) => typeof part === 'object' && part !== null;
  return (
    typeof kept.delivery === 'number' &&
    typeof kept.shownDelivery === 'number' &&
    [kept.lines, kept.gifts, kept.packages].every(isRecord) &&
    (kept.time === undefined ||
      (isRecord(kept.time) && 'formatted_string' in (kept.time as object)))
  );
}
