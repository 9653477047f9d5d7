import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const core = '../node_modules/@tanstack/query-core/build/modern';

/** The modules of TanStack Query's core by their names. */
export const coreModules = readdirSync(fileURLToPath(new URL(core, import.meta.url)))
  .filter((file) => /^\w+\.js$/.test(file))
  .map((file) => file.slice(0, -3))
  .sort();

/** Stands for the module that loads page after page, which no query of ours does. */
const withoutPages = `
  export const infiniteQueryBehavior = () => ({
    onFetch() { throw new Error('infinite queries are left out by lean-queries.ts'); },
  });
  export const hasNextPage = () => false;
  export const hasPreviousPage = hasNextPage;
`;

/**
 * Returns a plugin of Vite that shortens TanStack Query: it leaves out infinite queries, and makes private fields
 * ordinary ones, for which the build would need a map and a function each in the oldest browsers.
 */
export function leanQueries(): Plugin {
  return {
    name: 'lean-queries',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      const name = /\/@tanstack\/query-core\/build\/modern\/(\w+)\.js$/.exec(id)?.[1];
      if (!name) return undefined;
      const written =
        name === 'infiniteQueryBehavior'
          ? withoutPages
          : withoutPrivateFields(code, coreModules.indexOf(name));
      return { code: written, map: null };
    },
  };
}

/**
 * Returns the code of a module with ordinary fields in place of private ones. Their names are numbers of the module and
 * of the field, so that those of a class and its base stay apart. Throws for a use of private fields that it cannot
 * rewrite.
 */
export function withoutPrivateFields(code: string, module: number): string {
  const text = code.replace(/\/\*[\s\S]*?\*\//g, '');
  const fields = [...new Set(text.match(/#\w+/g))];
  const nameOf = (field: string) => `$${module.toString(36)}_${fields.indexOf(field).toString(36)}`;
  const written = text
    .replace(/^\t#\w+;\n/gm, '')
    .replace(/(^\t(?:async )?|\bthis\??\.)(#\w+)/gm, (_, before, field) => before + nameOf(field));
  const left = /^.*[\s.(!]#\w.*$/m.exec(written)?.[0];
  if (left) throw new Error(`lean-queries: a private field is left: ${left}`);
  return written;
}
