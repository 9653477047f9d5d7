import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sourceFiles } from './source-files';

const screenFile = /@\/screens\/([^/']+)\//;

/** The screens of the routes by name. */
const screenOfRoute = new Map(
  sourceFiles((path) => /^src\/app\/routes\/[a-z-]+\.tsx$/.test(path)).flatMap(({ path, text }) => {
    const screen = screenFile.exec(text)?.[1];
    return screen ? [[path.replace('src/app/routes/', '').replace('.tsx', ''), screen]] : [];
  }),
);

/** Every chunk of a screen that the app loads later, with the screen whose texts come with it. */
const loaded = sourceFiles((path) => /^src\/app\/.*\.tsx?$/.test(path) && !path.includes('.test.'))
  .flatMap(({ text }) => [
    ...text.matchAll(/(?:withTexts\(\s*'([a-z-]+)',\s*\(\) => )?import\('([^']+)'\)/g),
  ])
  .map(([, texts, chunk = '']) => {
    const route = /^\.\/routes\/([a-z-]+)$/.exec(chunk)?.[1] ?? '';
    return { chunk, texts, screen: screenFile.exec(chunk)?.[1] ?? screenOfRoute.get(route) };
  })
  .filter(({ screen }) => screen !== undefined);

it('the chunk of a screen is loaded together with the screen’s texts', () => {
  expect(loaded.length).toBeGreaterThan(20);
  expect(loaded.filter(({ texts, screen }) => texts !== screen)).toEqual([]);
});

const uzbek = readdirSync('src/locales/uz').map((file) => `src/locales/uz/${file}`);

// A browser breaks a line after a hyphen, so "9-xonadon" would become "9-" and "xonadon".
it.each(uzbek)('a number stays beside its word in the texts of %s', (file) => {
  const texts = [...readFileSync(file, 'utf8').matchAll(/^msgstr ".*"$/gm)].map(([text]) => text);
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.filter((text) => /\}-(?!\u2060)/.test(text))).toEqual([]);
});
