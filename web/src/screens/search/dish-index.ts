import MiniSearch, { type Query } from 'minisearch';
import type { Schema } from '@/api/types';
import { wordsOf } from './fold';
import { wordsInOtherScript } from './other-script';
import { nearestWords } from './typos';

type Product = Schema<'Product'>;
type Group = Schema<'ProductGroup'>;

/** A dish that was found. */
export interface Found {
  product: Product;
  group: Group;
  /** Folded words of the menu that matched, to be marked. */
  words: ReadonlySet<string>;
}

/** Returns the dishes that match a text, the best first; none for a text without words. */
export type FindDishes = (text: string) => Found[];

interface Entry {
  id: string;
  name: string;
  group: string;
  accents: string;
  composition: string;
}

/**
 * Indexes the dishes of a menu by name, group, composition and accents (`accentsOf` returns them in words, such
 * as spicy), and returns the search. A dish is found when it has every typed word: exactly, as a beginning, with
 * another ending, with a typo or in the other script. When no dish has every word, the dishes with any of the words
 * are found.
 */
export function indexDishes(
  groups: readonly Group[],
  accentsOf: (product: Product) => string,
): FindDishes {
  const dishes = new Map<string, Omit<Found, 'words'>>();
  for (const group of groups) {
    for (const product of group.products) dishes.set(product.key, { product, group });
  }
  const known = new Set<string>();
  const index = new MiniSearch<Entry>({
    fields: ['name', 'group', 'accents', 'composition'],
    tokenize: wordsOf,
    processTerm: (word) => {
      known.add(word);
      return word;
    },
    searchOptions: {
      processTerm: (word) => word,
      boost: { name: 4, group: 2, accents: 2 },
      weights: { prefix: 0.4, fuzzy: 0 },
    },
  });
  index.addAll([...dishes.values()].map((dish) => entryOf(dish, accentsOf)));

  // MiniSearch's own search for typos supports neither swapped letters nor unfinished words.
  const queryOf = (word: string): Query => {
    const asWritten: Query = {
      combineWith: 'OR',
      prefix: true,
      queries: [word, { queries: [stemOf(word)], weights: { prefix: 0.2, fuzzy: 0 } }],
    };
    if (index.search(asWritten).length > 0) return asWritten;
    const nearest = nearestWords(word, known);
    return {
      combineWith: 'OR',
      queries: nearest.length > 0 ? nearest : wordsInOtherScript(word, known),
    };
  };

  return (text) => {
    const queries = informativeWords(wordsOf(text)).map(queryOf);
    const withEveryWord = index.search({ combineWith: 'AND', queries });
    const results =
      withEveryWord.length > 0 ? withEveryWord : index.search({ combineWith: 'OR', queries });
    return results.flatMap(({ id, terms }) => {
      const dish = dishes.get(id);
      return dish ? { ...dish, words: new Set(terms) } : [];
    });
  };
}

/** Returns the entry of a dish in the index: the texts by which it can be found. */
function entryOf(
  { product, group }: Omit<Found, 'words'>,
  accentsOf: (product: Product) => string,
): Entry {
  const parts = product.set_of?.map(({ name }) => name) ?? [];
  return {
    id: product.key,
    name: product.name,
    group: group.name,
    accents: accentsOf(product),
    composition: [product.composition, ...parts].join(' '),
  };
}

/** Returns the words that are longer than one letter, or all words when none is longer. */
function informativeWords(words: string[]): string[] {
  const longer = words.filter((word) => word.length > 1);
  return longer.length > 0 ? longer : words;
}

/** Returns a word without its ending: two letters of a Slavic word, one of any other. */
function stemOf(word: string): string {
  if (word.length < 5) return word;
  const ending = word.length > 5 && /\p{Script=Cyrillic}/u.test(word) ? 2 : 1;
  return word.slice(0, -ending);
}
