import type { Schema } from '@/api/types';
import { readStored, writeStored } from '@/lib/storage';

type PaymentType = Schema<'PaymentType'>;

const key = 'payment-type';

const isText = (value: unknown): value is string => typeof value === 'string';

/** Stores the payment type of an order in the browser for 256 days. */
export const writePaymentType = (alias: string) => writeStored(key, alias);

/** Returns the types that this browser can pay with: Apple Pay exists in Apple's own browsers only. */
export const payableHere = (types: readonly PaymentType[], window: object): PaymentType[] =>
  types.filter(({ alias }) => alias !== 'apple_pay' || 'ApplePaySession' in window);

/**
 * Returns the payment type that is chosen at first: the last order's when it is offered, otherwise the
 * first.
 */
export function firstChoice(types: readonly PaymentType[]): PaymentType | undefined {
  const last = readStored(key, isText);
  return types.find(({ alias }) => alias === last) ?? types[0];
}
