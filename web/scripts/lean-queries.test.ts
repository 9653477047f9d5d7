import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { coreModules, withoutPrivateFields } from './lean-queries';
import { sourceFiles } from './source-files';

describe('the private fields of a module of TanStack Query', () => {
  it('become ordinary fields whose names are those of no other module', () => {
    const code = 'class A {\n\t#a;\n\t#b = 1;\n\t#c() {\n\t\treturn this.#a ?? this?.#b;\n\t}\n}\n';
    expect(withoutPrivateFields(code, 10)).toBe(
      'class A {\n\t$a_1 = 1;\n\t$a_2() {\n\t\treturn this.$a_0 ?? this?.$a_1;\n\t}\n}\n',
    );
  });

  it('are refused where they are used in another way', () => {
    expect(() => withoutPrivateFields('\t\treturn #a in other;\n', 0)).toThrow('#a in other');
    expect(() => withoutPrivateFields('\t\treturn other.#a;\n', 0)).toThrow('other.#a');
  });

  it('can be rewritten in every module of the installed version', () => {
    expect(coreModules.length).toBeGreaterThan(15);
    for (const [place, name] of coreModules.entries()) {
      const file = `node_modules/@tanstack/query-core/build/modern/${name}.js`;
      const code = readFileSync(file, 'utf8');
      expect(code, name).not.toMatch(/\$\w+_\w/);
      expect(withoutPrivateFields(code, place), name).not.toMatch(/(^|[^'"`])#\w/m);
    }
  });
});

it('no query of the page is infinite, because the build leaves those out', () => {
  const infinite = sourceFiles((path) => /\.tsx?$/.test(path)).filter(({ text }) =>
    /infiniteQuer/i.test(text),
  );
  expect(infinite.map(({ path }) => path)).toEqual([]);
});
