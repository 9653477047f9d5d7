import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';
import type { IconPart } from '../src/ui/draw-icon.ts';

/** An import of icons by their names. */
const imports = /^import \{([^}]*)\} from 'lucide-react';/gm;

/** The module of an icon, by its path. */
const iconModule = /\/lucide-react\/dist\/esm\/icons\/[a-z0-9-]+\.mjs$/;

/** An icon as its module exports it. Its parts have keys for React, which their order replaces. */
interface IconData {
  name: string;
  aliases?: readonly string[];
  node: readonly [tag: string, attributes: Record<string, string>][];
}

/** Returns the class names and the parts of an icon, the arguments of `drawIcon`. */
export function iconParts({ name, aliases = [], node }: IconData): [string, IconPart[]] {
  const names = [name, ...aliases].map((one) => `lucide-${one}`);
  return [
    ['lucide', ...new Set(names)].join(' '),
    node.map(([tag, { key, ...attributes }]) => [tag, attributes]),
  ];
}

/**
 * Returns a plugin of Vite by which each icon is imported from its own file. From the index of all icons a chunk would
 * get those that other chunks need, too. The file calls `drawIcon` with what is to be drawn.
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
    async transform(code, id) {
      if (iconModule.test(id)) {
        const { __iconData: data } = (await import(id)) as { __iconData: IconData };
        const [names, parts] = iconParts(data).map((part) => JSON.stringify(part));
        return {
          code: `import { drawIcon } from '/src/ui/draw-icon.ts'; export default /* @__PURE__ */ drawIcon(${names}, ${parts});`,
          map: null,
        };
      }
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
export function readIndex(): Map<string, string> {
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
