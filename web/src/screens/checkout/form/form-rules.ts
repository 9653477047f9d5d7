import * as v from 'valibot';
import type { Schema } from '@/api/types';
import { phoneLength } from '@/lib/phone';
import { type CashBounds, type CashProblem, cashProblem } from './cash';

/** What is typed and chosen in the checkout, as the fields hold it. */
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
  /** The aliases of what was agreed to. */
  consents: string[];
}

export type FieldName = keyof CheckoutValues;

/** What can be wrong with a field before the server has seen it. */
export type FieldProblem =
  | 'room-required'
  | 'name-required'
  | 'phone-required'
  | 'phone-short'
  | 'phone-long'
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
  /** Whether a phone is asked for: customers are reached by the one that they signed in with. */
  asksPhone: boolean;
  /** Whether an e-mail is needed for the chosen way to pay. */
  asksEmail: boolean;
  /** The aliases of what has to be agreed to. */
  consents: readonly string[];
  cash: CashBounds;
}

const problem = (name: FieldProblem) => name;

const text = (longest: number) =>
  v.pipe(v.string(), v.trim(), v.maxLength(longest, problem('too-long')));

const required = (longest: number, missing: FieldProblem) =>
  v.pipe(text(longest), v.nonEmpty(missing));

/** Whether the e-mail exists only a letter can tell; this finds what cannot be one. */
const looksLikeEmail = (typed: string) => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(typed);

function rulesFor({ orderType, mask, asksPhone, asksEmail, consents }: FormBounds) {
  return v.object({
    room: orderType === 'delivery' ? required(20, 'room-required') : v.string(),
    entrance: text(20),
    floor: text(20),
    intercom: text(40),
    description: text(300),
    username: required(100, 'name-required'),
    phone: asksPhone
      ? v.pipe(
          v.string(),
          v.check((typed) => phoneLength(typed, mask) !== 'none', problem('phone-required')),
          v.check((typed) => phoneLength(typed, mask) !== 'short', problem('phone-short')),
          v.check((typed) => phoneLength(typed, mask) !== 'long', problem('phone-long')),
        )
      : v.string(),
    maskId: v.number(),
    paymentType: v.pipe(v.string(), v.nonEmpty(problem('payment-required'))),
    email: asksEmail
      ? v.pipe(required(254, 'email-required'), v.check(looksLikeEmail, problem('email-unknown')))
      : v.string(),
    cash: v.string(),
    comment: text(500),
    consents: v.pipe(
      v.array(v.string()),
      v.check((given) => consents.every((one) => given.includes(one)), problem('consent-required')),
    ),
  });
}

/** The first problem of each field; an empty object means that the form can be sent. */
export function checkForm(
  values: CheckoutValues,
  bounds: FormBounds,
): Partial<Record<FieldName, FieldProblem>> {
  const found: Partial<Record<FieldName, FieldProblem>> = {};
  const result = v.safeParse(rulesFor(bounds), values);
  for (const issue of result.issues ?? []) {
    const field = issue.path?.[0]?.key as FieldName | undefined;
    if (field) found[field] ??= issue.message as FieldProblem;
  }
  const cash = values.paymentType === 'cash' && cashProblem(values.cash, bounds.cash);
  if (cash) found.cash = cash;
  return found;
}
