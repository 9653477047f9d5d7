import { describe, expect, it } from 'vitest';
import { inLatin, wordsInOtherScript } from './other-script';

describe('words of the other script', () => {
  it.each([
    ['пепси', ['pepsi', 'pepper'], ['pepsi']],
    ['pepperoni', ['пеперони', 'пицца'], ['пеперони']],
    ['сет', ['set', 'setlar', 'sirli'], ['set', 'setlar']],
    ['wok', ['вок', 'вода'], ['вок']],
    ['чой', ['choy', 'chesnok'], ['choy']],
  ])('for %s are those that are read alike', (word, vocabulary, expected) => {
    expect(wordsInOtherScript(word.replace('й', 'и'), vocabulary)).toEqual(expected);
  });

  it('are never of the script that was typed', () => {
    expect(wordsInOtherScript('пепсы', ['пепси'])).toEqual([]);
    expect(wordsInOtherScript('pepsy', ['pepsi'])).toEqual([]);
  });

  it('for what nothing is read like are none', () => {
    expect(wordsInOtherScript('qqqq', ['пицца', 'кола'])).toEqual([]);
  });
});

it('a word is read letter by letter', () => {
  expect(inLatin('щавель')).toBe('schavel');
});
