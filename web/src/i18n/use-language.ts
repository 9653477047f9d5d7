import { useLingui } from '@lingui/react';
import { type Language, toLanguage } from '@/lib/language';

/** Returns the language that the page is shown in; the component renders again when it changes. */
export function useLanguage(): Language {
  return toLanguage(useLingui().i18n.locale);
}
