import { describe, expect, it } from 'vitest';
import { groups } from '../src/i18n/groups';
import { languages } from '../src/lib/language';
import { sourceFiles } from './source-files';

/** Returns the messages without a translation, apart from the header and obsolete messages. */
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
      .filter(({ path }) => path.includes(`/${language}/`))
      .flatMap(({ path, text }) => missing(text).map((message) => `${path}: ${message}`));
    expect(holes).toEqual([]);
  });

  it('exist in every language for every group of screens', () => {
    const files = catalogues.map(({ path }) => path).sort();
    const wanted = languages.flatMap((language) =>
      Object.keys(groups).map((group) => `src/locales/${language}/${group}.po`),
    );
    expect(files).toEqual(wanted.sort());
  });
});
