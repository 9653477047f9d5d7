import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';
import type { Group } from '../src/i18n/groups.ts';
import { languages } from '../src/lib/languages.ts';
import type { OfflineFiles } from '../src/worker/rules.ts';

/** The fields of a bundler's chunk that are used here. */
interface Chunk {
  type: 'chunk';
  name: string;
  code: string;
  fileName: string;
  isEntry: boolean;
  facadeModuleId: string | null;
  imports: string[];
  viteMetadata?: { importedCss: Set<string> };
}

/** The pages that can be read without a network, and the parts that they load later by themselves. */
const readable =
  /\/src\/(app\/routes\/(cart|tracking|shops|delivery|words)|app\/companions\/late-parts|screens\/offline\/offline-companion|entities\/cart\/acknowledged\/store)\.tsx?$/;

/** The pages of staff, which are documents of their own and of no use without a network. */
const ofStaff = /\/src\/app\/staff\//;

/** The catalogues of those pages beside that of the first one. */
const catalogues = ['checkout', 'late', 'place', 'tracking', 'words'] satisfies Group[];

/** The placeholder for the files in the worker's source. */
const placeholder = '__OFFLINE_FILES__';

/**
 * Returns a plugin of Vite that puts the worker at the root of the build, with the list of the files that it
 * stores.
 */
export function offlineFiles(): Plugin {
  return {
    name: 'offline-files',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const files = Object.values(bundle);
      const chunks = files.filter((file) => file.type === 'chunk') as unknown as Chunk[];
      const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
      const worker = chunks.find(({ fileName }) => fileName === 'sw.js');
      if (!worker || worker.imports.length > 0) throw new Error('the worker is not one file');

      const all = (roots: Chunk[], seen = new Set<string>()): Set<string> => {
        for (const chunk of roots) {
          if (seen.has(chunk.fileName)) continue;
          seen.add(chunk.fileName);
          for (const style of chunk.viteMetadata?.importedCss ?? []) seen.add(style);
          all(
            chunk.imports.flatMap((name) => byName.get(name) ?? []),
            seen,
          );
        }
        return seen;
      };
      const roots = chunks.filter(
        (chunk) =>
          chunk !== worker &&
          !ofStaff.test(chunk.facadeModuleId ?? '') &&
          (chunk.isEntry || readable.test(chunk.facadeModuleId ?? '')),
      );
      const isOf = (language: string) => {
        const paths = catalogues.map((group) => `/src/locales/${language}/${group}.po`);
        return ({ facadeModuleId: id }: Chunk) =>
          id === `virtual:texts/${language}` || paths.some((path) => id?.endsWith(path));
      };
      const shared = all(roots);
      const rooted = (names: Iterable<string>) => [...names].map((name) => `/${name}`).sort();
      const list: Omit<OfflineFiles, 'release'> = {
        files: rooted(shared),
        languages: Object.fromEntries(
          languages.map((language) => {
            const own = [...all(chunks.filter(isOf(language)))].filter((name) => !shared.has(name));
            return [language, rooted(own)];
          }),
        ),
      };
      const text = JSON.stringify(list);
      const release = createHash('sha256').update(text).update(worker.code).digest('hex');
      const known: OfflineFiles = { release: release.slice(0, 12), ...list };
      worker.code = worker.code.replace(placeholder, () => JSON.stringify(known));
    },
  };
}
