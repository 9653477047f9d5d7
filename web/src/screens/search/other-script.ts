import { nearestWords } from './typos';

/**
 * How letters are read in Latin ones: the first sign of each item is read as the rest. Folded texts have no ё, й and ї;
 * w is read as v, as in wok.
 */
const latinLetters: Record<string, string> = Object.fromEntries(
  (
    'аa бb вv гg ґg дd еe єe жzh зz иi іi кk лl мm нn оo пp рr сs тt уu ўu фf хh ҳh цts чch шsh щsch ъ ыy ь эe юyu яya ' +
    'қk ғg wv'
  )
    .split(' ')
    .map((pair) => [pair.charAt(0), pair.slice(1)]),
);

/** Returns a folded word as it is read, in Latin letters. */
export const inLatin = (word: string): string =>
  [...word].map((letter) => latinLetters[letter] ?? letter).join('');

const isCyrillic = (word: string) => /\p{Script=Cyrillic}/u.test(word);

/**
 * Returns the words of a vocabulary in the other of the Cyrillic and Latin scripts that begin as `word` is read, with as
 * few typos as possible: pepsi for пепси, филадельфия for filadelfiya.
 */
export function wordsInOtherScript(word: string, vocabulary: Iterable<string>): string[] {
  const others = new Map<string, string[]>();
  for (const other of vocabulary) {
    if (isCyrillic(other) === isCyrillic(word)) continue;
    const read = inLatin(other);
    others.set(read, [...(others.get(read) ?? []), other]);
  }
  const read = inLatin(word);
  const begun = [...others.keys()].filter((other) => other.startsWith(read));
  const nearest = begun.length > 0 ? begun : nearestWords(read, others.keys());
  return nearest.flatMap((one) => others.get(one) ?? []);
}
