import { describe, expect, it } from 'vitest';
import { languages } from '@/lib/language';
import type { CatalogueModules } from './merge';

const all = import.meta.glob('../locales/*/*.po', { eager: true }) as CatalogueModules;

/** Returns the texts that differ between two catalogues, with the text of each. */
function conflicts(language: string): string[] {
  const written = new Map<string, Map<string, string>>();
  for (const [path, { messages }] of Object.entries(all)) {
    if (!path.includes(`/${language}/`)) continue;
    for (const [id, message] of Object.entries(messages)) {
      const text = JSON.stringify(message);
      written.set(id, (written.get(id) ?? new Map()).set(text, path));
    }
  }
  return [...written.values()]
    .filter((texts) => texts.size > 1)
    .map((texts) => [...texts].map(([text, path]) => `${path}: ${text}`).join('\n'));
}

describe('catalogues', () => {
  // They are merged into one: which of two would be read depends on the order of the files.
  it.each(languages)('have the same words under the same id in %s', (language) => {
    expect(conflicts(language)).toEqual([]);
  });
});
