import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** The fields of a bundler's chunk that the manifest needs. */
interface Chunk {
  type: 'chunk';
  fileName: string;
  facadeModuleId: string | null;
  imports: string[];
  modules: Record<string, { renderedLength: number }>;
  viteMetadata?: { importedCss: Set<string> };
}

const entryFile = '/src/app/entry-client.tsx';
const invitationFile = '/src/app/staff/invitation.ts';
const startWatch = 'src/app/start/start-watch.js';
const routeFile = /\/src\/app\/routes\/([a-z-]+)\.tsx$/;
const languageModule = /^virtual:texts\/([a-z]{2})$/;
const packageFile = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/**
 * Writes `page.json`: what the server needs to write a document's head, in the server's own terms (entry script,
 * styles, chunks of each language and route). Its paths are from the site's root. `packages` names those of
 * which there is code in a chunk: a test looks for their licences. The script that watches the start becomes a
 * file just as it is written.
 */
export function pageManifest(): Plugin {
  return {
    name: 'page-manifest',
    apply: 'build',
    generateBundle(_options, bundle) {
      const files = Object.values(bundle);
      const chunks = files.filter((file) => file.type === 'chunk') as unknown as Chunk[];
      const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
      const entry = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(entryFile));
      const invitation = chunks.find(({ facadeModuleId }) =>
        facadeModuleId?.endsWith(invitationFile),
      );
      if (!entry || !invitation) throw new Error('page manifest: the build has no entry chunk');

      const withImports = (root: Chunk, seen = new Set<string>()): string[] => {
        if (seen.has(root.fileName)) return [];
        seen.add(root.fileName);
        const imported = root.imports.flatMap((name) => {
          const chunk = byName.get(name);
          return chunk ? withImports(chunk, seen) : [];
        });
        return [root.fileName, ...imported];
      };
      const loadedFirst = new Set(withImports(entry));
      const stylesOf = (names: string[]) => [
        ...new Set(
          names.flatMap((name) => [...(byName.get(name)?.viteMetadata?.importedCss ?? [])]),
        ),
      ];
      const rooted = (names: string[]) => names.map((name) => `/${name}`);

      const routes: Record<string, { scripts: string[]; styles: string[] }> = {};
      const languages: Record<string, { scripts: string[] }> = {};
      for (const chunk of chunks) {
        const own = withImports(chunk).filter((name) => !loadedFirst.has(name));
        const route = chunk.facadeModuleId?.match(routeFile)?.[1];
        if (route) routes[route] = { scripts: rooted(own), styles: rooted(stylesOf(own)) };
        const language = chunk.facadeModuleId?.match(languageModule)?.[1];
        if (language) languages[language] = { scripts: rooted(own) };
      }
      const packages = chunks.flatMap((chunk) =>
        Object.entries(chunk.modules).flatMap(([file, { renderedLength }]) => {
          const name = renderedLength > 0 && file.match(packageFile)?.[1];
          return name ? [name] : [];
        }),
      );
      const watch = this.emitFile({
        type: 'asset',
        name: 'start-watch.js',
        source: readFileSync(startWatch, 'utf8'),
      });
      const manifest = {
        entry: `/${entry.fileName}`,
        start_watch: `/${this.getFileName(watch)}`,
        // Without the entry: at 1.6 Mbit/s its preload delays the first picture and hydrates nothing earlier.
        scripts: rooted([...loadedFirst].filter((name) => name !== entry.fileName)),
        styles: rooted(stylesOf([...loadedFirst])),
        languages,
        routes,
        staff_invitation: {
          scripts: rooted([invitation.fileName]),
          styles: rooted(stylesOf([invitation.fileName])),
        },
        packages: [...new Set(packages)].sort(),
      };
      this.emitFile({
        type: 'asset',
        fileName: 'page.json',
        source: `${JSON.stringify(manifest, null, 2)}\n`,
      });
    },
  };
}
