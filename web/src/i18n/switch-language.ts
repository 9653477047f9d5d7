import type { Language } from '@/lib/language';
import { setCookie } from '@/lib/storage';
import { hydrated } from './hydration';
import { activateLanguage } from './load';

/**
 * Shows the page in another language in place: texts change, everything that the visitor has typed,
 * scrolled to or opened stays. Server data follows, because the app refetches when the language
 * changes. The switch waits until the page has hydrated.
 */
export async function switchLanguage(language: Language): Promise<void> {
  await hydrated();
  await activateLanguage(language, () => {
    // The calls that follow the change must be answered in the new language.
    setCookie('language', language);
    document.documentElement.lang = language;
  });
}
