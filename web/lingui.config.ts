import type { LinguiConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';
import { groups } from './src/i18n/groups.ts';
import { languages } from './src/lib/languages.ts';

/**
 * A folder for each language, and in it a catalogue for each group of screens. Texts have ids of their own; the English that stands beside an id in the source is what the English catalogue is
 * written from.
 */
const config: LinguiConfig = {
  sourceLocale: 'en',
  locales: languages,
  fallbackLocales: { default: 'en' },
  catalogs: Object.entries(groups).map(([group, folders]) => ({
    path: `src/locales/{locale}/${group}`,
    include: folders.map((folder) => `src/${folder}/`),
  })),
  format: formatter({ lineNumbers: false, printLinguiId: false, explicitIdAsDefault: true }),
  orderBy: 'messageId',
};

export default config;
