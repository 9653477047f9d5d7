import { i18n } from '@lingui/core';
import type { Language } from '@/lib/language';

const catalogues = {
  ru: () => import('./languages/ru'),
  en: () => import('./languages/en'),
  tr: () => import('./languages/tr'),
  uz: () => import('./languages/uz'),
  de: () => import('./languages/de'),
  uk: () => import('./languages/uk'),
} satisfies Record<Language, unknown>;

/**
 * Loads the language's catalogue and makes it the page's language; what has to be known before
 * anything follows the change is told by `prepare`. Rejects when the chunk cannot be had.
 */
export async function activateLanguage(language: Language, prepare?: () => void): Promise<void> {
  const { default: messages } = await catalogues[language]();
  prepare?.();
  i18n.loadAndActivate({ locale: language, messages });
}
