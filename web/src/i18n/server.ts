import { i18n, type Messages } from '@lingui/core';
import type { Language } from '@/lib/language';
import { type CatalogueModules, mergeCatalogues } from './merge';

const catalogues = Object.entries(
  import.meta.glob('../locales/*/*.po', { eager: true }) as CatalogueModules,
);

const merged = new Map<Language, Messages>();

/** Returns all texts of a language, merged once. */
function textsOf(language: Language): Messages {
  const known = merged.get(language);
  if (known) return known;
  const own = catalogues.filter(([path]) => path.includes(`/${language}/`));
  const messages = mergeCatalogues(Object.fromEntries(own));
  merged.set(language, messages);
  return messages;
}

/** Makes a language the page's at once; for the server and tests, which have all catalogues. */
export function activateLanguageNow(language: Language): void {
  i18n.loadAndActivate({ locale: language, messages: textsOf(language) });
}
