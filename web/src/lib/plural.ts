import { languageWords, type PluralForm } from './language-words';
import type { Language } from './languages';

/**
 * Returns the CLDR cardinal form of a number; the same as Intl.PluralRules, which the server's engine
 * lacks.
 */
export function pluralForm(n: number, language: Language): PluralForm {
  return languageWords[language].plural(Math.abs(n));
}
