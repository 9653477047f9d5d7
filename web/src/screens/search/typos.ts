/** Words shorter than this may have no typo. */
const shortestWithTypo = 4;
/** Words from this length on may have two typos. */
const shortestWithTwo = 7;

/** Returns how many typos a word may have at most. */
function maxTypos(word: string): number {
  if (word.length < shortestWithTypo) return 0;
  return word.length < shortestWithTwo ? 1 : 2;
}

/**
 * Returns the words of a vocabulary with the fewest typos between `word` and their beginnings. Words with more
 * typos than the length of `word` allows are left out.
 */
export function nearestWords(word: string, vocabulary: Iterable<string>): string[] {
  let least = maxTypos(word);
  let nearest: string[] = [];
  if (least === 0) return nearest;
  for (const other of vocabulary) {
    const typos = typosBetween(word, other);
    if (typos > least) continue;
    if (typos < least) nearest = [];
    least = typos;
    nearest.push(other);
  }
  return nearest;
}

/**
 * Returns how many changes turn `word` into some beginning of `other`: a letter replaced, added, removed or
 * swapped with its neighbour (Damerau and Levenshtein's distance).
 */
export function typosBetween(word: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= word.length; row++) {
    const next = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = word[row - 1] === other[column - 1];
      const change = cellAt(last, column - 1) + (isSame ? 0 : 1);
      let best = Math.min(change, cellAt(last, column) + 1, cellAt(next, column - 1) + 1);
      const isSwap = word[row - 1] === other[column - 2] && word[row - 2] === other[column - 1];
      if (row > 1 && column > 1 && isSwap) best = Math.min(best, cellAt(before, column - 2) + 1);
      next.push(best);
    }
    before = last;
    last = next;
  }
  return Math.min(...last);
}

/** Returns a cell of a row; outside of the table it is infinite, so that it is never the least. */
const cellAt = (row: readonly number[], column: number) => row[column] ?? Number.POSITIVE_INFINITY;
