import * as v from 'valibot';
import type { Schema } from '@/api/types';
import type { TypedPhone } from '@/entities/contact/typed-phone';
import { looksLikeEmail, type PhoneProblem, phoneRule } from '@/lib/forms';
import { phoneDigits } from '@/lib/phone';

/** The purpose of a form; also the name of its modal. */
export type FormKind = 'call-me-back' | 'feedback' | 'supplier' | 'landlord' | 'return-request';

/** The typed values of a form of any kind; fields that a kind does not have stay empty. */
export interface FormValues extends TypedPhone {
  name: string;
  email: string;
  city_name: string;
  company: string;
  product_category: string;
  shop: string;
  square: string;
  order_id: string;
  wish: Schema<'ReturnWish'>;
  message: string;
  is_agreed: boolean;
}

/** A field that only some kinds have. */
export type OwnField = Exclude<keyof FormValues, 'name' | 'phone' | 'maskId' | 'is_agreed'>;

/** What is wrong with a field; its words follow the language. */
export type FormProblem =
  | PhoneProblem
  | 'name-empty'
  | 'empty'
  | 'email-wrong'
  | 'area-wrong'
  | 'order-wrong'
  | 'not-agreed';

/** Returns its argument: the compiler checks that it is one of the problems. */
const problem = (name: FormProblem) => name;

/** The fields of each kind besides name, phone and consent, in their order. */
export const fieldsOf: Record<FormKind, readonly OwnField[]> = {
  'call-me-back': [],
  feedback: ['email', 'message'],
  supplier: ['email', 'city_name', 'company', 'product_category'],
  landlord: ['email', 'city_name', 'shop', 'square'],
  'return-request': ['email', 'order_id', 'wish', 'message'],
};

/** Reports whether a field may stay empty: all e-mails but that of a question, which is answered by mail. */
export const isOptional = (kind: FormKind, name: OwnField) =>
  name === 'email' && kind !== 'feedback';

/** Returns the number that was typed as an area, with a point or a comma; NaN for any other text. */
const areaOf = (typed: string) => Number(typed.trim().replace(',', '.') || Number.NaN);

/** Returns the rule of a text that must not be empty. */
const filled = (missing: FormProblem = 'empty') =>
  v.pipe(
    v.string(),
    v.check((typed) => typed.trim() !== '', problem(missing)),
  );

/** Returns the rule of an e-mail address; an empty one is valid unless it is needed. */
const email = (isNeeded: boolean) =>
  v.pipe(
    v.string(),
    v.check((typed) => !isNeeded || typed.trim() !== '', problem('empty')),
    v.check((typed) => typed.trim() === '' || looksLikeEmail(typed.trim()), problem('email-wrong')),
  );

const area = v.pipe(
  filled(),
  v.check((typed) => areaOf(typed) >= 1 && areaOf(typed) <= 100_000, problem('area-wrong')),
);

const order = v.pipe(
  filled(),
  v.check((typed) => /^[1-9]\d{0,11}$/.test(typed.trim()), problem('order-wrong')),
);

/** Returns the rules of a form with a phone in the mask. */
export function rulesOf(kind: FormKind, mask: string): v.GenericSchema<FormValues> {
  const rules = {
    email: email(!isOptional(kind, 'email')),
    city_name: filled(),
    company: filled(),
    product_category: filled(),
    shop: filled(),
    square: area,
    order_id: order,
    wish: v.picklist(['return', 'exchange']),
    message: filled(),
  };
  const own = Object.fromEntries(fieldsOf[kind].map((name) => [name, rules[name]]));
  const all = {
    name: filled('name-empty'),
    phone: phoneRule(mask),
    maskId: v.number(),
    ...own,
    is_agreed: v.pipe(
      v.boolean(),
      v.check((isGiven) => isGiven, problem('not-agreed')),
    ),
  };
  return v.looseObject(all) as unknown as v.GenericSchema<FormValues>;
}

/** Returns the part of the body that every form sends. */
function contactOf(values: FormValues, mask: string, cityId: number) {
  return {
    city_id: cityId,
    name: values.name.trim(),
    phone: phoneDigits(values.phone, mask),
    is_agreed: values.is_agreed,
  };
}

/** The bodies of the calls by kind. */
export interface Bodies {
  'call-me-back': Schema<'CallRequest'>;
  feedback: Schema<'Question'>;
  supplier: Schema<'SupplierRequest'>;
  landlord: Schema<'LandlordRequest'>;
  'return-request': Schema<'ReturnRequest'>;
}

/** Returns the body of the call from the form's values, for each kind. */
export const bodyOf: {
  [Kind in FormKind]: (values: FormValues, mask: string, cityId: number) => Bodies[Kind];
} = {
  'call-me-back': contactOf,
  feedback: (values, mask, cityId) => ({
    ...contactOf(values, mask, cityId),
    email: values.email.trim(),
    message: values.message.trim(),
  }),
  supplier: (values, mask, cityId) => ({
    ...contactOf(values, mask, cityId),
    ...emailOf(values),
    city_name: values.city_name.trim(),
    company: values.company.trim(),
    product_category: values.product_category.trim(),
  }),
  landlord: (values, mask, cityId) => ({
    ...contactOf(values, mask, cityId),
    ...emailOf(values),
    city_name: values.city_name.trim(),
    shop: values.shop.trim(),
    square: areaOf(values.square),
  }),
  'return-request': (values, mask, cityId) => ({
    ...contactOf(values, mask, cityId),
    ...emailOf(values),
    order_id: Number(values.order_id),
    wish: values.wish,
    message: values.message.trim(),
  }),
};

/** Returns the e-mail for a body, if one was typed. */
const emailOf = ({ email: typed }: FormValues) => (typed.trim() ? { email: typed.trim() } : {});
