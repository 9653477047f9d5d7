import { type Messages, setupI18n } from '@lingui/core';
import { describe, expect, it } from 'vitest';
import { languages } from '@/lib/language';
import type { CatalogueModules } from './merge';

const all = import.meta.glob('../locales/*/*.po', { eager: true }) as CatalogueModules;
const counts = [0, 1, 2, 5, 11, 21, 22, 101, 111, 1.5];

type Piece = string | [string, string?, Record<string, Piece[] | string | number>?];
type Forms = Record<string, Piece[] | string | number>;

/** Returns the plural texts of a language: their ids, what is counted, and their forms. */
function pluralTexts(
  language: string,
): { id: string; counted: string; forms: Forms; messages: Messages }[] {
  return Object.entries(all)
    .filter(([path]) => path.includes(`/${language}/`))
    .flatMap(([, { messages }]) =>
      Object.entries(messages).flatMap(([id, message]) =>
        (Array.isArray(message) ? (message as Piece[]) : []).flatMap((piece) =>
          Array.isArray(piece) && piece[1] === 'plural' && piece[2]
            ? [{ id, counted: piece[0], forms: piece[2], messages }]
            : [],
        ),
      ),
    );
}

/** Returns values for the variables of a text: each has its own name as its value, except the count. */
const valuesOf = (counted: string, count: number) =>
  new Proxy({ [counted]: count } as Record<string, unknown>, {
    get: (known, name) => known[name as string] ?? `<${String(name)}>`,
  });

/** Returns a form with the count in it. */
const written = (form: Piece[] | string | number | undefined, count: string): string =>
  [form ?? []]
    .flat()
    .map((piece) => (Array.isArray(piece) ? `<${piece[0]}>` : String(piece).replaceAll('#', count)))
    .join('');

describe.each(languages)('the plural texts in %s', (language) => {
  const rules = new Intl.PluralRules(language);
  const texts = pluralTexts(language);

  it('have the forms of CLDR, and no others', () => {
    expect(texts.length).toBeGreaterThan(0);
    const wanted = rules.resolvedOptions().pluralCategories.sort();
    const wrong = texts.filter(({ forms }) => {
      const own = Object.keys(forms).filter((name) => name !== 'offset' && !name.startsWith('='));
      return own.sort().join() !== wanted.join();
    });
    expect(wrong.map(({ id, forms }) => `${id}: ${Object.keys(forms)}`)).toEqual([]);
  });

  it.each(counts)('are read in the form of CLDR for %d', (count) => {
    const number = new Intl.NumberFormat(language).format(count);
    for (const { id, counted, forms, messages } of texts) {
      const i18n = setupI18n({ locale: language, messages: { [language]: messages } });
      const read = i18n._(id, valuesOf(counted, count));
      const form = forms[`=${count}`] ?? forms[rules.select(count)];
      expect(read, id).toContain(written(form, number));
    }
  });
});
