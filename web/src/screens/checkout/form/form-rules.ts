import * as v from 'valibot';
import type { Schema } from '@/api/types';
import { type DetailProblem, detailRules } from '@/entities/address-form/detail-rules';
import type { AddressForm, Details } from '@/entities/address-form/details';
import type { TypedPhone } from '@/entities/contact/typed-phone';
import { looksLikeEmail, type PhoneProblem, phoneRule } from '@/lib/forms';
import { type CashBounds, type CashProblem, cashProblem } from './cash';

/** The values of the checkout's fields. */
export interface CheckoutValues extends Details, TypedPhone {
  username: string;
  paymentType: Schema<'PaymentTypeAlias'> | '';
  /** The address for the receipt, when the chosen payment type requires one. */
  email: string;
  cash: string;
  comment: string;
  /** The aliases of the consents that were given. */
  consents: string[];
}

export type FieldName = keyof CheckoutValues;

/** The problems of a field that the page finds without the server. */
export type FieldProblem =
  | DetailProblem
  | 'name-required'
  | PhoneProblem
  | 'payment-required'
  | 'email-required'
  | 'email-unknown'
  | 'consent-required'
  | CashProblem;

/** The facts about the order and the city that decide the rules. */
export interface FormBounds {
  orderType: Schema<'OrderType'>;
  /** What of the country's address form is asked for now; nothing for takeaway. */
  asked: AddressForm;
  /** The mask that the phone is typed in. */
  mask: string;
  /** Whether the form has a phone field; a signed-in customer is called on the phone of their account. */
  asksPhone: boolean;
  /** Whether the chosen payment type requires an e-mail. */
  asksEmail: boolean;
  /** The aliases of the consents that are required. */
  consents: readonly string[];
  /** Whether cash is the chosen payment type. */
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

/** Returns the rule that refuses a typed sum of cash with exactly this problem. */
const withoutCashProblem = (name: CashProblem, bounds: CashBounds) =>
  v.check((typed: string) => cashProblem(typed, bounds) !== name, name);

/**
 * Returns the rules of the form for an order with these bounds. The numbers are the greatest lengths
 * of the texts.
 */
export function rulesFor(bounds: FormBounds) {
  const { asked, mask, asksPhone, asksEmail, consents, paysCash, cash } = bounds;
  return v.object({
    ...detailRules(asked),
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
