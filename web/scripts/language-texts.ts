import type { Plugin } from 'vite';
import { laterGroups } from '../src/i18n/groups.ts';
import { languages } from '../src/lib/languages.ts';

const all = 'virtual:texts';

/**
 * Returns a plugin of Vite that makes the modules of the languages. `virtual:texts` loads any of them.
 * `virtual:texts/<language>` has the texts of the first page and loads the other catalogues, a chunk each.
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
      const folder = `/src/locales/${id.slice(all.length + 1)}`;
      const later = laterGroups.map((group) => `${group}: () => import('${folder}/${group}.po')`);
      return `
        export { messages as default } from '${folder}/first.po';
        export const catalogues = { ${later.join(', ')} };`;
    },
  };
}
