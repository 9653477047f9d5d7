import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { groups } from '../src/i18n/groups';
import { languages } from '../src/lib/languages';

it('the build has the texts of every screen in every language', () => {
  const folder = 'dist/assets';
  const scripts = readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'));
  const ids = Object.keys(groups).flatMap((group) => {
    const catalogue = readFileSync(`src/locales/en/${group}.po`, 'utf8');
    return [...catalogue.matchAll(/^msgid "(.+)"$/gm)].map(([, id]) => id);
  });
  expect(ids.length).toBeGreaterThan(800);
  // One that two catalogues have is in a chunk of each.
  const missing = ids.filter((id) => {
    const count = scripts.filter((script) => script.includes(`"${id}":[`)).length;
    return count === 0 || count % languages.length !== 0;
  });
  expect(missing).toEqual([]);
});
