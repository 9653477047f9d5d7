import type { Plugin } from 'vite';
import { languages } from '../src/lib/languages.ts';

const all = 'virtual:texts';

/** The screens whose texts come with the first page: home loads them with itself. */
const first = '/src/screens/{home,promo,search,payment-return}/locales';

/**
 * Makes the modules of the languages. `virtual:texts` loads each; `virtual:texts/<language>` has the
 * texts of the first page (those of the frame, of what many screens show, and of what home loads
 * with itself) and loads those of the other screens, a chunk for each.
 */
export function languageTexts(): Plugin {
  return {
    name: 'language-texts',
    resolveId: (id) => (id === all || id.startsWith(`${all}/`) ? id : undefined),
    load(id) {
      if (id === all) {
        const entries = languages.map((one) => `${one}: () => import('${all}/${one}')`);
        return `export const texts = { ${entries.join(', ')} };`;
      }
      if (!id.startsWith(`${all}/`)) return undefined;
      const file = `${id.slice(all.length + 1)}.po`;
      return `
        import { mergeCatalogues } from '/src/i18n/merge.ts';
        export default mergeCatalogues(import.meta.glob(
          ['/src/{app,ui,entities}/locales/${file}', '${first}/${file}'],
          { eager: true },
        ));
        export const screens = import.meta.glob(
          ['/src/screens/*/locales/${file}', '!${first}/${file}'],
        );`;
    },
  };
}
