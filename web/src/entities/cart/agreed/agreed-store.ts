import type { Schema } from '@/api/types';
import { forget, recall, remember } from '@/lib/storage';
import { createStore } from '@/lib/store';
import { type Agreed, agreeTo, follow, type OrderChange } from './agreed';

type Cart = Schema<'Cart'>;

/** What an order was refused for: kept until the customer has agreed. */
export interface Refused {
  /** In the server's words; empty when it said nothing. */
  message: string;
  changes: readonly OrderChange[];
  /** Whether it was the chosen time: choosing another one is the answer. */
  isAboutTime?: boolean;
}

interface State {
  agreed?: Agreed;
  refused?: Refused;
}

/** What was agreed to in each city. A city that nobody asked for yet is read from the device. */
export const agreements = createStore<ReadonlyMap<number, State>>(new Map());

const keyOf = (cityId: number) => `agreed.${cityId}`;
const nothing: State = {};

/** What the customer agreed to in a city, and what his order was refused for. */
export function agreementIn(cityId: number): State {
  const known = agreements.get().get(cityId);
  if (known) return known;
  const agreed = recall(keyOf(cityId), isAgreed);
  const state = agreed ? { agreed } : nothing;
  // A read is no change: nobody has to hear of it.
  (agreements.get() as Map<number, State>).set(cityId, state);
  return state;
}

/** Takes over from a new cart what the customer did himself. */
export function seeCart(cart: Cart): void {
  const { agreed, refused } = agreementIn(cart.city_id);
  const isEmpty = Object.keys(cart.products).length === 0;
  const isAnswered = refused?.isAboutTime && cart.interval !== undefined;
  const next = { agreed: follow(agreed, cart), refused: isAnswered ? undefined : refused };
  put(cart.city_id, isEmpty ? nothing : next);
}

/** The customer agrees to the cart as it is. A time that is gone stays open: he has to choose one. */
export function agree(cart: Cart): void {
  const { agreed } = agreementIn(cart.city_id);
  const next = agreeTo(cart);
  put(cart.city_id, { agreed: { ...next, time: next.time ?? agreed?.time } });
}

/** Notes that an order was refused because the cart is not what was on the screen. */
export function refuseOrder(cityId: number, refused: Refused): void {
  put(cityId, { ...agreementIn(cityId), refused });
}

/** Drops what is held in memory, as a reload does. */
export function forgetAgreements(): void {
  agreements.set(new Map());
}

function put(cityId: number, state: State): void {
  const before = agreementIn(cityId);
  if (JSON.stringify(before) === JSON.stringify(state)) return;
  agreements.set(new Map(agreements.get()).set(cityId, state));
  if (state.agreed) remember(keyOf(cityId), state.agreed);
  else forget(keyOf(cityId));
}

/** What an older version kept may look otherwise; then nothing was agreed to. */
function isAgreed(value: unknown): value is Agreed {
  const kept = (value ?? {}) as Record<keyof Agreed, unknown>;
  const isRecord = (part: unknown) => typeof part === 'object' && part !== null;
  return (
    typeof kept.delivery === 'number' &&
    typeof kept.toldDelivery === 'number' &&
    [kept.lines, kept.gifts, kept.packages].every(isRecord) &&
    (kept.time === undefined ||
      (isRecord(kept.time) && 'formatted_string' in (kept.time as object)))
  );
}
