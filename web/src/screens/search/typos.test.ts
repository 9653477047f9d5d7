import { describe, expect, it } from 'vitest';
import { nearestWords, typosBetween } from './typos';

describe('the typos between a word and the beginning of another', () => {
  it.each([
    ['суп', 'супы', 0],
    ['ролы', 'роллы', 1],
    ['samlon', 'salmon', 1],
    ['филодель', 'филадельфия', 1],
    ['шаверма', 'шаурма', 2],
    ['кола', 'вода', 2],
  ])('%s and %s are %i', (word, other, typos) => {
    expect(typosBetween(word, other)).toBe(typos);
  });
});

describe('the nearest words', () => {
  const known = ['рис', 'мисо', 'лосось', 'маргарита', 'терияки'];

  it('are none for a word below four letters', () => {
    expect(nearestWords('рыс', known)).toEqual([]);
  });

  it('are within one typo from four letters and within two from seven', () => {
    expect(nearestWords('мисл', known)).toEqual(['мисо']);
    expect(nearestWords('мпсл', known)).toEqual([]);
    expect(nearestWords('моргорита', known)).toEqual(['маргарита']);
    expect(nearestWords('моргорида', known)).toEqual([]);
  });

  it('are only those with the fewest typos', () => {
    expect(nearestWords('лососьь', [...known, 'лососина'])).toEqual(['лосось']);
  });
});
