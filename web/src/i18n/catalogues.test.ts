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

  it.each(languages)('begin the heading of home with the words of the brand in %s', (language) => {
    const first = Object.entries(all).find(([path]) => path.endsWith(`/${language}/first.po`));
    // They begin with a capital letter, which would stand within the heading.
    expect(first?.[1].messages['app.routes.home-heading']?.[0]).toEqual(['name']);
  });
});
