import { expect, it } from 'vitest';
import { sourceFiles } from './source-files';

/** The form of an id, such as `cart.clear.title`: the room or screen, perhaps its part, and the name of the text. */
const idForm = /^[a-z]+(-[a-z]+)*(\.[a-z0-9]+(-[a-z0-9]+)*){1,3}$/;

const ids = (catalogue: string) =>
  [...catalogue.matchAll(/^msgid "(.+)"$/gm)].map(([, id = '']) => id);

const catalogues = sourceFiles((path) => path.endsWith('.po'));

it('every text has an id of its own, never one that is made from its English', () => {
  const malformed = catalogues.flatMap(({ path, text }) =>
    ids(text)
      .filter((id) => !idForm.test(id))
      .map((id) => `${path}: ${id}`),
  );
  expect(catalogues.length).toBeGreaterThan(60);
  expect(malformed).toEqual([]);
});

/** Returns the placeholders of a text: the names of its values, and its tags. */
const openParts = (text: string) =>
  [...new Set(text.match(/\{\w+(?=[,}])|<\/?\w+\/?>/g))].sort().join(' ');

/** Returns the texts of a catalogue by their ids. */
const textsOf = (catalogue: string) =>
  new Map(
    catalogue.split(/\n\n+/).flatMap((entry) => {
      const id = /^msgid "(.+)"$/m.exec(entry)?.[1];
      return id ? [[id, entry.slice(entry.indexOf('\nmsgstr ')).replaceAll('"\n"', '')]] : [];
    }),
  );

it('a text has the same values and tags in every language', () => {
  const unlike = catalogues.flatMap(({ path, text }) => {
    const english = catalogues.find(
      (other) => other.path === path.replace(/locales\/\w+/, 'locales/en'),
    );
    const expected = textsOf(english?.text ?? '');
    return [...textsOf(text)]
      .filter(([id, translation]) => openParts(translation) !== openParts(expected.get(id) ?? ''))
      .map(([id]) => `${path}: ${id}`);
  });
  expect(unlike).toEqual([]);
});
