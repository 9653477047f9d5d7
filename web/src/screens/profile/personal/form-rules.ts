import * as v from 'valibot';
import type { Schema } from '@/api/types';
import { type BirthdayProblem, birthdayProblem } from './birthday';

type User = Schema<'User'>;
type Update = Schema<'UserUpdate'>;

/** The profile as its fields hold it. */
export interface ProfileValues {
  name: string;
  /** Empty when the customer has not told it, and need not. */
  sex: 'male' | 'female' | 'none' | '';
  /** DD.MM.YYYY or empty. */
  birthday: string;
  email: string;
  news: boolean;
  paperless_receipts: boolean;
}

export type FieldName = keyof ProfileValues;

/** What can be wrong with a field before the server has seen it. */
export type FieldProblem = 'name-required' | 'too-long' | 'email-unknown' | BirthdayProblem;

/** The fields of what the server has. */
export const toValues = (user: User): ProfileValues => ({
  name: user.name,
  sex: user.sex ?? '',
  birthday: user.birthday ?? '',
  email: user.email ?? '',
  news: user.is_subscribed,
  paperless_receipts: !user.is_print_fiscal_receipt,
});

const problem = (name: FieldProblem) => name;

const rules = v.object({
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
    // Whether it exists only a letter can tell; this finds what cannot be one.
    v.check(
      (text) => text === '' || /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text),
      problem('email-unknown'),
    ),
  ),
});

/** The first problem of each field; an empty object means that the form can be sent. */
export function checkForm(
  values: ProfileValues,
  today: Parameters<typeof birthdayProblem>[1],
): Partial<Record<FieldName, FieldProblem>> {
  const found: Partial<Record<FieldName, FieldProblem>> = {};
  for (const issue of v.safeParse(rules, values).issues ?? []) {
    const field = issue.path?.[0]?.key as FieldName | undefined;
    if (field) found[field] ??= issue.message as FieldProblem;
  }
  const birthday = birthdayProblem(values.birthday, today);
  if (birthday) found.birthday = birthday;
  return found;
}

/**
 * What is sent: the name, and of the rest only what was changed. So a consent is never given anew by
 * saving something else, and a change from another device stays.
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
