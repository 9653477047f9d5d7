import { currencySigns, signsByLanguage, wholeCurrencies } from './currencies.gen';
import { type Language, languageFacts } from './languages';

/** How amounts are written: the currency (ISO 4217) and the site's setting. */
export interface MoneyStyle {
  currency: string;
  /** Whether amounts always have two decimals, if the currency has any; otherwise only amounts with a fraction do. */
  fractional: boolean;
}

const noBreak = '\u00a0';

/** Returns the sign of a currency in a language; its code when it has none. */
export function currencySign(currency: string, language: Language): string {
  return signsByLanguage[currency]?.[language] ?? currencySigns[currency] ?? currency;
}

/**
 * Writes an amount in major units (at most two decimals) by the habit of the language: `1 234,50 ₽`,
 * `₺1.234,50`. Uses no Intl, so that the server's engine and every browser give the same bytes.
 */
export function formatMoney(amount: number, style: MoneyStyle, language: Language): string {
  const { signFirst } = languageFacts[language].numbers;
  const cents = Math.round(Math.abs(amount) * 100);
  const fractional = style.fractional && !wholeCurrencies.includes(style.currency);
  const decimals = fractional || cents % 100 !== 0 ? 2 : 0;
  const digits = formatNumber(cents / 100, language, decimals);
  const sign = currencySign(style.currency, language);
  const minus = amount < 0 && cents > 0 ? '−' : '';
  if (!signFirst) return `${minus}${digits}${noBreak}${sign}`;
  // A word before a number needs a space, a sign does not.
  return `${minus}${sign}${/\p{L}$/u.test(sign) ? noBreak : ''}${digits}`;
}

/** Writes a number with the language's separators and exactly that many decimals. */
export function formatNumber(value: number, language: Language, decimals = 0): string {
  const { decimal, group } = languageFacts[language].numbers;
  const [whole = '0', fraction] = Math.abs(value).toFixed(decimals).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group);
  const minus = value < 0 && Number(value.toFixed(decimals)) !== 0 ? '−' : '';
  return `${minus}${grouped}${fraction ? decimal + fraction : ''}`;
}
