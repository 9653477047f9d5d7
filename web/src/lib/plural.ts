import type { Language } from './language';

export type PluralForm = 'one' | 'few' | 'many' | 'other';

const oneOther = (n: number): PluralForm => (n === 1 ? 'one' : 'other');

function slavic(n: number): PluralForm {
  if (!Number.isInteger(n)) return 'other';
  const last = n % 10;
  const lastTwo = n % 100;
  if (last === 1 && lastTwo !== 11) return 'one';
  if (last >= 2 && last <= 4 && (lastTwo < 12 || lastTwo > 14)) return 'few';
  return 'many';
}

const rules: Record<Language, (n: number) => PluralForm> = {
  ru: slavic,
  uk: slavic,
  en: oneOther,
  de: oneOther,
  tr: oneOther,
  uz: oneOther,
};

/** The CLDR cardinal form of a number; the same answer as Intl.PluralRules, which the server's engine lacks. */
export function pluralForm(n: number, language: Language): PluralForm {
  return rules[language](Math.abs(n));
}
