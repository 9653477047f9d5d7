// Writes the table of currencies for the server and for the page from CLDR: every currency in use, with its
// digits and its sign in each language of the interface. Usage: node scripts/currencies.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const cldr = createRequire(import.meta.url);
const root = new URL('../../', import.meta.url);

/** Signs that differ from CLDR: by the custom of the country, or because fonts lack the sign of CLDR. */
const customs = {
  BYN: { sign: 'Br' },
  GEL: { sign: '₾' },
  KGS: { sign: 'сом' }, // the sign of its own is in hardly any font
  UZS: { sign: 'soʻm', ru: 'сум', uk: 'сум' },
};

/** Returns the languages of the interface, from the list of the server. */
function interfaceLanguages() {
  const source = readFileSync(new URL('internal/lang/lang.go', root), 'utf8');
  return [...source.matchAll(/^\t[A-Z]{2} Lang = "([a-z]+)"$/gm)].map(([, code]) => code);
}

/** Returns the codes of all currencies that are legal tender somewhere today. */
function currenciesInUse(regions) {
  const entries = Object.values(regions).flatMap((list) => list.flatMap(Object.entries));
  const current = entries.filter(([, use]) => use._from && !use._to && use._tender !== 'false');
  return [...new Set(current.map(([code]) => code))].sort();
}

const { region, fractions } = cldr('cldr-core/supplemental/currencyData.json').supplemental
  .currencyData;

/** Returns the signs of all currencies in a language, from CLDR. */
function cldrSigns(language) {
  const facts = cldr(`cldr-numbers-full/main/${language}/currencies.json`).main[language].numbers
    .currencies;
  return (code) => facts[code]?.['symbol-alt-narrow'] ?? facts[code]?.symbol ?? code;
}

const languages = interfaceLanguages();
const english = cldrSigns('en');
const currencies = currenciesInUse(region).map((code) => {
  const sign = customs[code]?.sign ?? english(code);
  const own = languages.flatMap((language) => {
    const here = customs[code] ? customs[code][language] : cldrSigns(language)(code);
    return here && here !== sign ? [[language, here]] : [];
  });
  return { code, digits: Number((fractions[code] ?? fractions.DEFAULT)._digits), sign, own };
});

const lines = (list, write) => list.map(write).join('\n');
const header = '// Written by make generate from CLDR (web/scripts/currencies.mjs). DO NOT EDIT.\n';
const withOwn = currencies.filter(({ own }) => own.length > 0);

writeFileSync(
  new URL('internal/money/currency.gen.go', root),
  `// Code generated from CLDR by web/scripts/currencies.mjs. DO NOT EDIT.

package money

var currencies = map[string]Currency{
${lines(currencies, ({ code, digits, sign }) => `\t"${code}": {"${code}", ${digits}, "${sign}"},`)}
}

// signsByLanguage are the signs that a language writes otherwise.
var signsByLanguage = map[string]map[string]string{
${lines(withOwn, ({ code, own }) => `\t"${code}": {${own.map(([l, s]) => `"${l}": "${s}"`).join(', ')}},`)}
}
`,
);

const quote = (text) => `'${text}'`;
writeFileSync(
  new URL('web/src/lib/currencies.gen.ts', root),
  `${header}
/** The signs of currencies that have one, by ISO 4217 code. */
export const currencySigns: Record<string, string> = {
${lines(
  currencies.filter(({ code, sign }) => sign !== code),
  ({ code, sign }) => `  ${code}: ${quote(sign)},`,
)}
};

/** Signs that a language writes otherwise. */
export const signsByLanguage: Record<string, Record<string, string>> = {
${lines(withOwn, ({ code, own }) => `  ${code}: { ${own.map(([l, s]) => `${l}: ${quote(s)}`).join(', ')} },`)}
};

/** Currencies without a minor unit: their sums are whole. */
export const wholeCurrencies =
  '${currencies
    .filter(({ digits }) => digits === 0)
    .map(({ code }) => code)
    .join(' ')}';
`,
);
