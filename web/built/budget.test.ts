import { readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { languages } from '../src/lib/languages';

/** How many files of script the home page loads before it hydrates, with those of its language. */
const maxScripts = 3;

/** Their weight as a browser loads them, compressed by Brotli, in bytes. */
const maxScriptWeight = 107_500;

/** The weight of the page's own script without texts, in the same way: 100 KB, the aim. */
const maxEntryWeight = 102_400;

/** The weight of the page's own style sheets, in the same way. */
const maxStyleWeight = 14_000;

const manifest = JSON.parse(readFileSync('dist/page.json', 'utf8'));

/** Returns the bytes of files of the build as they are sent; small ones are sent uncompressed. */
const weigh = (files: readonly string[]) =>
  files
    .map((file) => {
      const packed = statSync(`dist${file}.br`, { throwIfNoEntry: false });
      return (packed ?? statSync(`dist${file}`)).size;
    })
    .reduce((sum, size) => sum + size, 0);

describe('the first load of the home page', () => {
  it.each(languages)('is within its budget in %s', (language) => {
    const scripts: string[] = [
      manifest.entry,
      manifest.start_watch,
      ...manifest.scripts,
      ...manifest.languages[language].scripts,
    ];
    expect(scripts.length).toBeLessThanOrEqual(maxScripts);
    expect(weigh(scripts)).toBeLessThanOrEqual(maxScriptWeight);
    expect(weigh([manifest.entry, ...manifest.scripts])).toBeLessThanOrEqual(maxEntryWeight);
    expect(weigh(manifest.styles)).toBeLessThanOrEqual(maxStyleWeight);
  });
});

it('the late parts, with the list of all modals, need no other chunk than the first', () => {
  const names = readdirSync('dist/assets').filter((name) => /^late-parts-.*\.js$/.test(name));
  const imports = names.flatMap((name) => [
    ...readFileSync(`dist/assets/${name}`, 'utf8').matchAll(/(?:from|import)["'`]\.(\/[^"'`]+)/g),
  ]);
  expect(names).toHaveLength(1);
  expect(imports.map(([, file]) => `/assets${file}`)).toEqual([manifest.entry]);
});
