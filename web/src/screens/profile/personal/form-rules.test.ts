import { describe, expect, it } from 'vitest';
import { firstProblems } from '@/lib/forms';
import { makeUser } from '@/testing/users';
import { type FieldName, rulesOn, toUpdate, toValues } from './form-rules';

const today = { year: 2030, month: 3, day: 15 };
const values = toValues(makeUser());
const changed = (...names: FieldName[]) => new Set(names);

describe('the profile', () => {
  it('needs a name and nothing else', () => {
    const empty = { ...values, name: '  ', sex: '', birthday: '', email: '' } as const;
    expect(firstProblems(rulesOn(today), empty)).toEqual({ name: 'name-required' });
  });

  it.each([
    ['anna@example.org', undefined],
    [' anna@example.org ', undefined],
    ['anna@пример.рф', undefined],
    ['anna', 'email-unknown'],
    ['anna@example', 'email-unknown'],
    ['anna@example.', 'email-unknown'],
    ['an na@example.org', 'email-unknown'],
  ])('finds out whether %j may be an e-mail address', (email, problem) => {
    expect(firstProblems(rulesOn(today), { ...values, email }).email).toBe(problem);
  });

  it('checks the birthday’s range before it is sent', () => {
    expect(firstProblems(rulesOn(today), { ...values, birthday: '16.03.2030' })).toEqual({
      birthday: 'birthday-ahead',
    });
  });

  it('sends what was changed and leaves the rest alone', () => {
    const edited = { ...values, name: ' Anna ', email: '', sex: 'none' } as const;
    expect(toUpdate(edited, changed('email', 'sex'), makeUser().consents)).toEqual({
      name: 'Anna',
      email: '',
      sex: 'none',
    });
  });

  it('sends a consent with the version of the text that was beside the box', () => {
    const edited = { ...values, news: true };
    expect(toUpdate(edited, changed('news'), makeUser().consents)).toEqual({
      name: 'Anna',
      is_subscribed: true,
      consent_versions: { news: '2' },
    });
  });

  it('takes a consent back without a version', () => {
    const edited = { ...values, paperless_receipts: false };
    expect(toUpdate(edited, changed('paperless_receipts'), makeUser().consents)).toEqual({
      name: 'Anna',
      is_print_fiscal_receipt: true,
    });
  });
});
