import { describe, expect, it } from 'vitest';
import { languages } from './language';
import { pluralForm } from './plural';

describe('pluralForm', () => {
  it.each(languages)('agrees with CLDR in %s', (language) => {
    const cldr = new Intl.PluralRules(language);
    for (const n of [0, 1, 2, 4, 5, 11, 12, 14, 21, 22, 101, 102, 111, 112, 1.5, 1000000]) {
      // CLDR counts round millions apart in no language of ours.
      expect(`${n} ${pluralForm(n, language)}`).toBe(`${n} ${cldr.select(n)}`);
    }
  });

  it('distinguishes Russian forms', () => {
    const forms = [0, 1, 2, 5, 11, 21, 22, 101, 111].map((n) => pluralForm(n, 'ru'));
    expect(forms).toEqual(['many', 'one', 'few', 'many', 'many', 'one', 'few', 'one', 'many']);
  });
});
