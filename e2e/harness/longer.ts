import type { BrowserContext } from '@playwright/test';
import { groups } from '../../web/src/i18n/groups.ts';

/** The share by which texts are lengthened, as some languages are longer than others. */
const growth = 0.4;
/** A text with fewer letters is lengthened inside its word, as in German; a longer text gets another word. */
const wordLength = 11;

/** The files of the page's catalogues: that of the first page has the name of its language. */
const catalogues = new RegExp(`/assets/(?:[a-z]{2}|${Object.keys(groups).join('|')})-[\\w-]{7}\\.js$`);

/** A piece of a compiled text: words, a variable, or a variable with its plural forms. */
type Piece = string | [string, string?, Record<string, Piece[] | string | number>?];

/**
 * Returns words with a part of their own letters added, 40 % longer. Punctuation and tags at the end stay at the
 * end.
 */
function lengthenWords(words: string): string {
  const letters = words.replaceAll(/<[^>]*>/g, ' ').replaceAll(/[^\p{L} ]/gu, '').replaceAll(/ +/g, ' ').trim();
  const more = letters.slice(0, Math.ceil(letters.length * growth)).trim();
  const [, before = '', after = ''] = /^(.*?)((?:[\s.:,…?]|<\/?\d+\/?>)*)$/su.exec(words) ?? [];
  return before + (letters.length < wordLength ? more.toLowerCase().replaceAll(' ', '') : ` ${more}`) + after;
}

/** Reports whether a piece is words, not only signs or tags. */
const hasLetters = (piece: unknown) => typeof piece === 'string' && /\p{L}/u.test(piece.replaceAll(/<[^>]*>/g, ''));

/** Returns the pieces of a text with its last words longer, and with each plural form longer. */
function lengthenPieces(pieces: Piece[]): Piece[] {
  const last = pieces.findLastIndex(hasLetters);
  return pieces.map((piece, place) => {
    if (typeof piece === 'string') return place === last ? lengthenWords(piece) : piece;
    const [name, kind, forms] = piece;
    if (!forms) return piece;
    const longer = Object.entries(forms).map(([form, text]) => [
      form,
      Array.isArray(text) ? lengthenPieces(text) : hasLetters(text) ? lengthenWords(text as string) : text,
    ]);
    return [name, kind, Object.fromEntries(longer)];
  });
}

/** Returns a text of a catalogue 40 % longer. Its variables stay as they are. */
export function lengthen(text: string): string {
  const pieces = text.split(/(\{\w+\})/);
  const last = pieces.findLastIndex((piece) => !/^\{\w+\}$/.test(piece) && hasLetters(piece));
  return pieces.map((piece, place) => (place === last ? lengthenWords(piece) : piece)).join('');
}

/**
 * Serves the texts of the page's catalogues 40 % longer, as another language could have them. The documents of
 * the program keep their texts; the page replaces these when it starts.
 */
export async function serveLonger(context: BrowserContext): Promise<void> {
  await context.route(catalogues, async (route) => {
    const url = new URL(route.request().url());
    const { host } = url;
    // Only browsers know names below localhost.
    url.hostname = '127.0.0.1';
    const answer = await route.fetch({ url: url.href, headers: { ...route.request().headers(), host } });
    const source = await answer.text();
    const body = source.replaceAll(/JSON\.parse\(`((?:[^`\\]|\\[^])*)`\)/g, (_, written: string) => {
      const read = (escaped: string) => escaped.replaceAll(/\\(?:x([\da-f]{2})|([^]))/gi, (_, code, letter) =>
        code ? String.fromCharCode(Number.parseInt(code, 16)) : letter,
      );
      const catalogue = JSON.parse(read(written)) as Record<string, Piece[]>;
      const longer = Object.entries(catalogue).map(([id, pieces]) => [id, lengthenPieces(pieces)]);
      return `(${JSON.stringify(Object.fromEntries(longer))})`;
    });
    await route.fulfill({ response: answer, body });
  });
}
