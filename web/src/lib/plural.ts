import { type Language, languageFacts, type PluralForm } from './languages';

/**
 * Returns the CLDR cardinal form of a number; the same as Intl.PluralRules, which the server's engine
 * lacks.
 */
export function pluralForm(n: number, language: Language): PluralForm {
  return languageFacts[language].plural(Math.abs(n));
}
