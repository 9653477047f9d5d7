import { describe, expect, it } from 'vitest';
import { fold } from '@/lib/fold';
import { piecesOf, wordsOf } from './fold';

describe('a folded word', () => {
  it.each([
    ['ПЕЛЬМЕНИ', 'пельмени'],
    ['Гёдза', 'гедза'],
    ['Їжа', 'іжа'],
    ['Кешʼю', 'кешю'],
    ["Кеш'ю", 'кешю'],
    ['Qoʻziqorin', 'qoziqorin'],
    ["Qo'ziqorin", 'qoziqorin'],
    ['Goʼsht', 'gosht'],
    ['ISLAK', 'islak'],
    ['Kızarmış', 'kizarmis'],
    ['İÇECEK', 'icecek'],
    ['Hähnchen', 'hahnchen'],
    ['Süß', 'suss'],
    ['Philadelphia', 'filadelfia'],
    ['Jalapeño', 'jalapeno'],
  ])('of %s is %s', (text, folded) => {
    expect(fold(text)).toBe(folded);
  });
});

it('takes words apart at everything that is no letter and no figure', () => {
  expect(wordsOf('Сет «Три Филадельфии», 24 шт.')).toEqual([
    'сет',
    'три',
    'филадельфии',
    '24',
    'шт',
  ]);
});

it('splits a text into its words and the characters between them, without loss', () => {
  const text = 'Qoʻziqorin, «Том-ям» и кешʼю';
  expect(piecesOf(text).join('')).toBe(text);
  expect(piecesOf(text)).toContain('Qoʻziqorin');
  expect(piecesOf(text)).toContain('кешʼю');
});
