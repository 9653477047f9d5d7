import { type Language, languages } from './languages';

export { type Language, languages };

/** The language shown when a site or a visitor names none that we have. */
export const fallbackLanguage: Language = 'en';

/** Returns the page's language for a tag such as "de" or "de-AT"; the fallback language when there is none. */
export function toLanguage(tag: string | undefined): Language {
  const base = tag?.toLowerCase().split('-')[0];
  return languages.find((language) => language === base) ?? fallbackLanguage;
}

/** Returns a text with its first letter as the language writes it in capitals. */
export function capitalize(text: string, language: Language): string {
  const [first = ''] = text;
  return first.toLocaleUpperCase(language) + text.slice(first.length);
}
