import type { Language } from '@/lib/language';
import { setCookie } from '@/lib/storage';
import { hydrated } from './hydration';
import { activateLanguage } from './load';

/**
 * Changes the language of the page in place, after the page has hydrated, and stores it in a cookie. Typed
 * texts, scroll position and open modals stay. The app loads the server's data again when the language changes.
 */
export async function switchLanguage(language: Language): Promise<void> {
  await hydrated();
  await activateLanguage(language, () => {
    // The calls that follow the change must be answered in the new language.
    setCookie('language', language);
    document.documentElement.lang = language;
  });
}
