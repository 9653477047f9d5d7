import { i18n, type Messages } from '@lingui/core';
import type { Language } from '@/lib/language';
import de from './languages/de';
import en from './languages/en';
import ru from './languages/ru';
import tr from './languages/tr';
import uk from './languages/uk';
import uz from './languages/uz';

const catalogues: Record<Language, Messages> = { de, en, ru, tr, uk, uz };

/** On the server every catalogue is at hand, so nothing is awaited. */
export function activateLanguageNow(language: Language): void {
  i18n.loadAndActivate({ locale: language, messages: catalogues[language] });
}
