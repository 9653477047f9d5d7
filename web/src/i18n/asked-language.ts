import type { Language } from '@/lib/language';
import { setCookie } from '@/lib/storage';

/** The parameter of an address that selects the page's language. */
const parameter = 'lang';

/**
 * Keeps the language that the address has asked for, and takes it out of the address: the pages that
 * follow are in it too, and the visitor may choose another. `shown` is the language of the document.
 */
export function keepAskedLanguage(shown: Language): void {
  const address = new URL(location.href);
  if (!address.searchParams.has(parameter)) return;
  if (address.searchParams.get(parameter) === shown) setCookie('language', shown);
  address.searchParams.delete(parameter);
  history.replaceState(history.state, '', address);
}
