import { describe, expect, it } from 'vitest';
import { formatMoney, formatNumber } from './money';

const whole = { currency: 'RUB', fractional: false };

describe('formatMoney', () => {
  it.each([
    ['ru', 'RUB', '1 234 567,50 ₽'],
    ['uk', 'UAH', '1 234 567,50 ₴'],
    ['uz', 'UZS', '1 234 567,50 soʻm'],
    ['ru', 'UZS', '1 234 567,50 сум'],
    ['de', 'EUR', '1.234.567,50 €'],
    ['tr', 'TRY', '₺1.234.567,50'],
    ['en', 'EUR', '€1,234,567.50'],
    ['en', 'BYN', 'Br 1,234,567.50'],
    ['tr', 'UZS', 'soʻm 1.234.567,50'],
    ['ru', 'KZT', '1 234 567,50 ₸'],
  ] as const)('writes %s %s by the language habit', (language, currency, expected) => {
    expect(formatMoney(1234567.5, { currency, fractional: false }, language)).toBe(
      expected.replaceAll(' ', '\u00a0'),
    );
  });

  it('shows decimals only where there is a fraction or the site requires them', () => {
    expect(formatMoney(350, whole, 'ru')).toBe('350\u00a0₽');
    expect(formatMoney(349.5, whole, 'ru')).toBe('349,50\u00a0₽');
    expect(formatMoney(350, { ...whole, fractional: true }, 'ru')).toBe('350,00\u00a0₽');
  });

  it('is exact in spite of binary fractions', () => {
    expect(formatMoney(0.1 + 0.2, whole, 'en')).toBe('₽0.30');
    expect(formatMoney(1.005 * 100, whole, 'en')).toBe('₽100.50');
  });

  it('puts the minus before everything and never shows minus zero', () => {
    expect(formatMoney(-120, whole, 'en')).toBe('−₽120');
    expect(formatMoney(-0.001, whole, 'ru')).toBe('0\u00a0₽');
  });

  it('writes no decimals where the currency has no minor unit', () => {
    expect(formatMoney(1200, { currency: 'JPY', fractional: true }, 'en')).toBe('¥1,200');
    expect(formatMoney(1200, { currency: 'KZT', fractional: true }, 'en')).toBe('₸1,200.00');
  });

  it('writes a currency without a sign by its code', () => {
    expect(formatMoney(5, { currency: 'CHF', fractional: false }, 'de')).toBe('5\u00a0CHF');
  });
});

describe('formatNumber', () => {
  it('keeps the requested decimals', () => {
    expect(formatNumber(12.345, 'de', 1)).toBe('12,3');
    expect(formatNumber(1000, 'ru')).toBe('1\u00a0000');
  });
});
