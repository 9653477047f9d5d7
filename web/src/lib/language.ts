import { type Language, languages } from './languages';

export { type Language, languages };

/** The language shown when a site or a visitor names none that we have. */
export const fallbackLanguage: Language = 'en';

/** Narrows any tag ("de", "de-AT") to one of ours; the fallback when there is none. */
export function toLanguage(tag: string | undefined): Language {
  const base = tag?.toLowerCase().split('-')[0];
  return languages.find((language) => language === base) ?? fallbackLanguage;
}
