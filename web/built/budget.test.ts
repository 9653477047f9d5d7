import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { languages } from '../src/lib/languages';

/** How many files of script the home page loads before it hydrates, with those of its language. */
const maxScripts = 3;

/** Their weight as a browser loads them, compressed by Brotli, in bytes. */
const maxScriptWeight = 119_000;

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
    expect(weigh(manifest.styles)).toBeLessThanOrEqual(maxStyleWeight);
  });
});
