import type { Language } from '@/lib/language';
import { setCookie } from '@/lib/storage';

/** The parameter of an address that selects the page's language. */
const parameter = 'lang';

/**
 * Stores the language that the address selects, so that the next pages are in it too, and removes it from
 * the address. `shown` is the language of the document: another one is not stored.
 */
export function keepAskedLanguage(shown: Language): void {
  const address = new URL(location.href);
  if (!address.searchParams.has(parameter)) return;
  if (address.searchParams.get(parameter) === shown) setCookie('language', shown);
  address.searchParams.delete(parameter);
  history.replaceState(history.state, '', address);
}
