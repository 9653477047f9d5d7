import { fold } from '@/lib/fold';

/** Returns the folded words of a text. */
export const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns a text as pieces: its words, and the characters between them. */
export const piecesOf = (text: string): string[] =>
  text.split(/((?:[\p{L}\p{N}\p{M}]|[ʻʼ'’‘`´′](?=\p{L}))+)/u).filter((piece) => piece !== '');
