import * as v from 'valibot';
import type { Schema } from '@/api/types';
import { looksLikeEmail, type PhoneProblem, phoneRule } from '@/lib/forms';
import { type CashBounds, type CashProblem, cashProblem } from './cash';

/** The values of the checkout's fields. */
export interface CheckoutValues {
  room: string;
  entrance: string;
  floor: string;
  intercom: string;
  description: string;
  username: string;
  phone: string;
  /** Which of the city's phone masks the phone is in. */
  maskId: number;
  paymentType: Schema<'PaymentTypeAlias'> | '';
  /** Where the receipt goes, where a way to pay asks for it. */
  email: string;
  cash: string;
  comment: string;
  /** The aliases of the consents that were given. */
  consents: string[];
}

export type FieldName = keyof CheckoutValues;

/** What can be wrong with a field before the server has seen it. */
export type FieldProblem =
  | 'room-required'
  | 'name-required'
  | PhoneProblem
  | 'payment-required'
  | 'email-required'
  | 'email-unknown'
  | 'consent-required'
  | 'too-long'
  | CashProblem;

/** What the rules depend on. */
export interface FormBounds {
  orderType: Schema<'OrderType'>;
  /** The mask that the phone is typed in. */
  mask: string;
  /** Whether a phone is asked for; a customer is called on the phone of their account. */
  asksPhone: boolean;
  /** Whether an e-mail is needed for the chosen way to pay. */
  asksEmail: boolean;
  /** The aliases of the consents that are required. */
  consents: readonly string[];
  /** Whether cash is the chosen way to pay. */
  paysCash: boolean;
  cash: CashBounds;
}

/** Returns its argument: the compiler checks that it is one of the problems. */
const problem = (name: FieldProblem) => name;

/** Returns the rule of a text that may be empty. */
const text = (longest: number) =>
  v.pipe(v.string(), v.trim(), v.maxLength(longest, problem('too-long')));

/** Returns the rule of a text that must not be empty. */
const required = (longest: number, missing: FieldProblem) =>
  v.pipe(text(longest), v.nonEmpty(missing));

/** Returns the rule that a sum of cash does not have the problem. */
const withoutCashProblem = (name: CashProblem, bounds: CashBounds) =>
  v.check((typed: string) => cashProblem(typed, bounds) !== name, name);

/**
 * Returns the rules of the form for an order with these bounds. The numbers are the greatest lengths
 * of the texts.
 */
export function rulesFor(bounds: FormBounds) {
  const { orderType, mask, asksPhone, asksEmail, consents, paysCash, cash } = bounds;
  return v.object({
    room: orderType === 'delivery' ? required(20, 'room-required') : v.string(),
    entrance: text(20),
    floor: text(20),
    intercom: text(40),
    description: text(300),
    username: required(100, 'name-required'),
    phone: asksPhone ? phoneRule(mask) : v.string(),
    maskId: v.number(),
    paymentType: v.pipe(
      v.custom<CheckoutValues['paymentType']>((chosen) => typeof chosen === 'string'),
      v.check((chosen) => chosen !== '', problem('payment-required')),
    ),
    email: asksEmail
      ? v.pipe(required(254, 'email-required'), v.check(looksLikeEmail, problem('email-unknown')))
      : v.string(),
    cash: paysCash
      ? v.pipe(
          v.string(),
          withoutCashProblem('cash-below', cash),
          withoutCashProblem('cash-limit', cash),
        )
      : v.string(),
    comment: text(500),
    consents: v.pipe(
      v.array(v.string()),
      v.check((given) => consents.every((one) => given.includes(one)), problem('consent-required')),
    ),
  });
}
