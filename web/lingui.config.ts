import type { LinguiConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';
import { languages } from './src/lib/languages.ts';

/**
 * One catalogue beside each room and screen, so that two screens never meet in one file. Texts have ids
 * of their own; the English that stands beside an id in the source is what the English catalogue is
 * written from.
 */
const config: LinguiConfig = {
  sourceLocale: 'en',
  locales: languages,
  fallbackLocales: { default: 'en' },
  catalogs: [
    { path: 'src/app/locales/{locale}', include: ['src/app'] },
    { path: 'src/ui/locales/{locale}', include: ['src/ui'] },
    { path: 'src/entities/locales/{locale}', include: ['src/entities'] },
    { path: 'src/screens/{name}/locales/{locale}', include: ['src/screens/{name}/'] },
  ],
  format: formatter({ lineNumbers: false, printLinguiId: false, explicitIdAsDefault: true }),
  orderBy: 'messageId',
};

export default config;
