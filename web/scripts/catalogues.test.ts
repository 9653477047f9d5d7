import { describe, expect, it } from 'vitest';
import { languages } from '../src/lib/language';
import { sourceFiles } from './source-files';

/** Message texts without a translation; the header and obsolete messages don't count. */
function missing(catalogue: string): string[] {
  return catalogue
    .split(/\n\n+/)
    .filter((entry) => !entry.includes('#~') && /^msgid "(?!"\n)/m.test(`${entry}\n`))
    .filter((entry) => /^msgstr ""\s*$/m.test(entry) && !/^msgstr ""\n"/m.test(entry))
    .map((entry) => /^msgid (.*)$/m.exec(entry)?.[1] ?? entry);
}

const catalogues = sourceFiles((path) => path.endsWith('.po'));

describe('catalogues', () => {
  it.each(languages)('are complete in %s', (language) => {
    const holes = catalogues
      .filter(({ path }) => path.endsWith(`/${language}.po`))
      .flatMap(({ path, text }) => missing(text).map((message) => `${path}: ${message}`));
    expect(holes).toEqual([]);
  });

  it('exist in every language wherever they exist in one', () => {
    const rooms = new Map<string, number>();
    for (const { path } of catalogues) {
      const room = path.slice(0, path.lastIndexOf('/'));
      rooms.set(room, (rooms.get(room) ?? 0) + 1);
    }
    for (const [room, count] of rooms)
      expect(`${room} ${count}`).toBe(`${room} ${languages.length}`);
  });
});
