/**
 * Returns a text in the form that searches compare: lower case, letters without their marks (ё is е, İ and ı are
 * i), ß as ss, ph as f, and without apostrophes, which Uzbek and Ukrainian words contain (oʻ, кешʼю).
 */
export const fold = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}|[ʻʼ'’‘`´′]/gu, '')
    .replaceAll('ı', 'i')
    .replaceAll('ß', 'ss')
    .replaceAll('ph', 'f');

/** Returns the folded words of a text. */
export const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns a text as pieces: its words, and the characters between them. */
export const piecesOf = (text: string): string[] =>
  text.split(/((?:[\p{L}\p{N}\p{M}]|[ʻʼ'’‘`´′](?=\p{L}))+)/u).filter((piece) => piece !== '');
