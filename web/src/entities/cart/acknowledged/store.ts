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

/** Why an order was refused; it is held until the customer has agreed. */
export interface Refused {
  /** In the server's words; empty when it said nothing. */
  message: string;
  changes: readonly OrderChange[];
  /** Whether the chosen time was the reason: then choosing another one settles it. */
  isAboutTime?: boolean;
}

interface State {
  agreed?: AcknowledgedCart;
  refused?: Refused;
}

const keyOf = (cityId: number) => `agreed.${cityId}`;
const nothing: State = {};

/** What was agreed to in each city; loaded from the device. */
export const acknowledgements = createKeyedStore((cityId: number): State => {
  const agreed = readStored(keyOf(cityId), isAcknowledgedCart);
  return agreed ? { agreed } : nothing;
});

/** Returns what the customer agreed to in a city, and what their order was refused for. */
export const acknowledgementIn = (cityId: number): State => acknowledgements.get(cityId);

/** Takes over the customer's own changes from a new cart. Choosing a time settles a refusal because of the time. */
export function noteCart(cart: Cart): void {
  const { agreed, refused } = acknowledgementIn(cart.city_id);
  const isEmpty = Object.keys(cart.products).length === 0;
  const isSettled = refused?.isAboutTime && cart.interval !== undefined;
  const next = { agreed: updateAgreed(agreed, cart), refused: isSettled ? undefined : refused };
  putState(cart.city_id, isEmpty ? nothing : next);
}

/** Notes that the customer agrees to the cart as it is. A lost time stays a change: they have to choose another. */
export function agree(cart: Cart): void {
  const { agreed } = acknowledgementIn(cart.city_id);
  const next = acknowledge(cart);
  putState(cart.city_id, { agreed: { ...next, time: next.time ?? agreed?.time } });
}

/** Notes that an order was refused because the cart is not what was on the screen. */
export function refuseOrder(cityId: number, refused: Refused): void {
  putState(cityId, { ...acknowledgementIn(cityId), refused });
}

/** Clears the memory, as a reload does. */
export function clearAcknowledgements(): void {
  acknowledgements.clear();
}

/** Holds a changed state in memory, and stores on the device what was agreed to. */
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
