import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

/** An import of icons by their names. */
const imports = /^import \{([^}]*)\} from 'lucide-react';/gm;

/**
 * Returns a plugin of Vite by which each icon is imported from its own file. From the index of all icons a chunk would
 * get those that other chunks need, too.
 */
export function iconFiles(): Plugin {
  const files = readIndex();
  const fileOf = (name: string) => {
    const file = files.get(name);
    if (!file) throw new Error(`lucide-react has no icon ${name}`);
    return file;
  };
  return {
    name: 'icon-files',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/src\/.*\.tsx?$/.test(id) || !code.includes("'lucide-react'")) return undefined;
      const written = code.replace(imports, (_, names: string) =>
        names
          .split(',')
          .map((name) => name.trim().split(' as '))
          .filter(([name]) => name && !name.startsWith('type '))
          .map(([name = '', local = name]) => `import ${local} from '${fileOf(name)}';`)
          .join(' '),
      );
      return { code: written, map: null };
    },
  };
}

/** Returns the module of each icon by all of its names. */
function readIndex(): Map<string, string> {
  const index = createRequire(import.meta.url)
    .resolve('lucide-react')
    .replace(/cjs.lucide-react\.js$/, 'esm/lucide-react.mjs');
  const lines = readFileSync(index, 'utf8').matchAll(
    /export \{(.*)\} from '\.\/icons\/(.*)\.mjs'/g,
  );
  return new Map(
    [...lines].flatMap(([, names = '', file]) =>
      [...names.matchAll(/default as (\w+)/g)].map(([, name = '']) => [
        name,
        `lucide-react/icons/${file}`,
      ]),
    ),
  );
}
