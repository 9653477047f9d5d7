import type { LinguiConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';

/** One catalogue beside each room and feature, so that two features never meet in one file. */
const config: LinguiConfig = {
  sourceLocale: 'en',
  locales: ['ru', 'en', 'tr', 'uz', 'de', 'uk'],
  fallbackLocales: { default: 'en' },
  catalogs: [
    { path: 'src/app/locales/{locale}', include: ['src/app'] },
    { path: 'src/ui/locales/{locale}', include: ['src/ui'] },
    { path: 'src/features/{name}/locales/{locale}', include: ['src/features/{name}/'] },
  ],
  format: formatter({ lineNumbers: false, printLinguiId: false }),
  orderBy: 'message',
};

export default config;
