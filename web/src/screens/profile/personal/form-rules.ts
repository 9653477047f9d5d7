import * as v from 'valibot';
import type { Schema } from '@/api/types';
import { looksLikeEmail } from '@/lib/forms';
import { type BirthdayProblem, birthdayProblem } from './birthday';

type User = Schema<'User'>;
type Update = Schema<'UserUpdate'>;
type Today = Parameters<typeof birthdayProblem>[1];

/** The values of the profile's fields. */
export interface ProfileValues {
  /** Read-only. */
  phone: string;
  name: string;
  /** Empty while the customer has not chosen. */
  sex: 'male' | 'female' | 'none' | '';
  /** DD.MM.YYYY or empty. */
  birthday: string;
  email: string;
  news: boolean;
  paperless_receipts: boolean;
}

export type FieldName = keyof ProfileValues;

/** The problems of a field that the page finds without the server. */
export type FieldProblem = 'name-required' | 'too-long' | 'email-unknown' | BirthdayProblem;

/** Returns the values of the fields for the server's profile. */
export const toValues = (user: User): ProfileValues => ({
  phone: user.phone,
  name: user.name,
  sex: user.sex ?? '',
  birthday: user.birthday ?? '',
  email: user.email ?? '',
  news: user.is_subscribed,
  paperless_receipts: !user.is_print_fiscal_receipt,
});

/** Returns its argument: the compiler checks that it is one of the problems. */
const problem = (name: FieldProblem) => name;

/** Returns the rule that refuses a typed birthday with exactly this problem. */
const withoutBirthdayProblem = (name: BirthdayProblem, today: Today) =>
  v.check((typed: string) => birthdayProblem(typed, today) !== name, name);

/** Returns the rules of the form; birthdays are compared with `today`. */
export const rulesOn = (today: Today) =>
  v.object({
    phone: v.string(),
    name: v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty(problem('name-required')),
      v.maxLength(100, problem('too-long')),
    ),
    email: v.pipe(
      v.string(),
      v.trim(),
      v.maxLength(254, problem('too-long')),
      v.check((text) => text === '' || looksLikeEmail(text), problem('email-unknown')),
    ),
    sex: v.picklist(['male', 'female', 'none', '']),
    news: v.boolean(),
    paperless_receipts: v.boolean(),
    birthday: v.pipe(
      v.string(),
      withoutBirthdayProblem('birthday-unknown', today),
      withoutBirthdayProblem('birthday-ahead', today),
      withoutBirthdayProblem('birthday-long-ago', today),
    ),
  });

/**
 * Returns the body of the call: the name, and each other field only when it was changed. So saving one field
 * never repeats a consent or undoes a change made on another device. A consent that is newly given goes with the
 * version of its text.
 */
export function toUpdate(
  values: ProfileValues,
  changed: ReadonlySet<FieldName>,
  consents: User['consents'],
): Update {
  const update: Update = { name: values.name.trim() };
  if (changed.has('sex') && values.sex) update.sex = values.sex;
  if (changed.has('birthday')) update.birthday = values.birthday;
  if (changed.has('email')) update.email = values.email.trim();
  if (changed.has('news')) update.is_subscribed = values.news;
  if (changed.has('paperless_receipts')) {
    update.is_print_fiscal_receipt = !values.paperless_receipts;
  }
  const given = consents.filter(({ kind }) => changed.has(kind) && values[kind]);
  if (given.length > 0) {
    update.consent_versions = Object.fromEntries(given.map(({ kind, version }) => [kind, version]));
  }
  return update;
}
