/** The brand of a card, as far as its first digits show it. */
export type CardBrand = 'visa' | 'mastercard' | 'mir' | 'amex' | 'unionpay' | 'troy';

/** The texts of the three fields, as typed. */
export interface CardText {
  number: string;
  expiry: string;
  cvc: string;
}

/** The card in the form that is encrypted. */
export interface Card {
  number: string;
  month: number;
  /** With four digits. */
  year: number;
  cvc: string;
}

export type CardField = 'number' | 'expiry' | 'cvc';
export type CardProblem =
  | 'number-empty'
  | 'number-short'
  | 'number-wrong'
  | 'expiry-empty'
  | 'expiry-short'
  | 'expiry-wrong'
  | 'expiry-past'
  | 'cvc-empty'
  | 'cvc-short';

/** The encrypted card, or why it could not be encrypted. */
export type Encrypted =
  | { kind: 'done'; cryptogram: string }
  /** The acquirer's script found fields wrong. */
  | { kind: 'wrong'; fields: readonly CardField[] }
  /** The acquirer's script did not load; the next attempt loads it again. */
  | { kind: 'unreachable' }
  /** There is no key and no script, or the browser may not encrypt here. */
  | { kind: 'impossible' };

/** Returns only the digits of a text. */
const digitsOf = (text: string) => text.replace(/\D/g, '');

/** First digits by brand; the first match wins. Those of Troy depend on the country, see `brandOf`. */
const beginnings: readonly [CardBrand, RegExp][] = [
  ['mir', /^220[0-4]/],
  ['amex', /^3[47]/],
  ['mastercard', /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/],
  ['unionpay', /^(62|81)/],
  ['visa', /^4/],
];

/**
 * Returns the brand of a number that is being typed; undefined while it is not known. `country` is the
 * city's: a number that begins with 65 is one of Troy only in Turkey.
 */
export function brandOf(number: string, country?: string): CardBrand | undefined {
  const digits = digitsOf(number);
  if (/^9792/.test(digits) || (country === 'TR' && /^65/.test(digits))) return 'troy';
  return beginnings.find(([, start]) => start.test(digits))?.[0];
}

/** Returns the least and the most digits that a number of the brand can have. */
const lengthsOf = (brand: CardBrand | undefined): readonly [number, number] => {
  if (brand === 'amex') return [15, 15];
  if (brand === 'visa' || brand === 'mastercard' || brand === 'troy') return [16, 16];
  return [16, 19];
};

/** Reports whether the check digit of a number is right (Luhn's algorithm); a single wrong digit makes it wrong. */
export function passesLuhn(number: string): boolean {
  let sum = 0;
  for (const [place, sign] of [...digitsOf(number)].reverse().entries()) {
    const digit = Number(sign) * (place % 2 === 1 ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

/**
 * Reports whether a card number is valid and as long as numbers of its brand can be, so that the next field can take
 * the focus. Of Mir it takes 16 digits: 19 are allowed, but nearly all numbers have 16.
 */
export function isNumberComplete(number: string): boolean {
  const digits = digitsOf(number);
  const brand = brandOf(digits);
  const [, most] = lengthsOf(brand);
  return digits.length === (brand === 'mir' ? 16 : most) && passesLuhn(digits);
}

/** Returns month and year of 'MM / YY', 'MM/YYYY', '2028-04' or bare digits; undefined until they are complete. */
function expiryOf(text: string): { month: number; year: number } | undefined {
  const digits = digitsOf(normalExpiry(text));
  if (digits.length !== 4) return undefined;
  return { month: Number(digits.slice(0, 2)), year: 2000 + Number(digits.slice(2)) };
}

/**
 * Returns an expiry in any usual form as four digits, MMYY; of an unfinished expiry it returns the typed digits.
 */
export function normalExpiry(text: string): string {
  const yearFirst = /^\s*(20\d\d)\s*[-/.\s]\s*(\d{1,2})\s*$/.exec(text);
  if (yearFirst) return `${yearFirst[2]?.padStart(2, '0')}${yearFirst[1]?.slice(2)}`;
  const written = /^\s*(\d{1,2})\s*[-/.\s]\s*(?:20)?(\d\d)\s*$/.exec(text);
  if (written) return `${written[1]?.padStart(2, '0')}${written[2]}`;
  const digits = digitsOf(text);
  const bare = /^(\d\d)20(\d\d)$/.exec(digits);
  return bare ? `${bare[1]}${bare[2]}` : digits;
}

/** Reports whether none of the three fields is empty. Their contents are checked when the card is sent. */
export const isFilled = ({ number, expiry, cvc }: CardText): boolean =>
  digitsOf(number) !== '' && digitsOf(expiry) !== '' && digitsOf(cvc) !== '';

/** Returns the problem of a field; undefined when it is right. */
export function problemOf(field: CardField, card: CardText, now: Date): CardProblem | undefined {
  switch (field) {
    case 'number':
      return numberProblem(card.number);
    case 'expiry':
      return expiryProblem(card.expiry, now);
    case 'cvc':
      return cvcProblem(card);
  }
}

/** Returns the problem of the number; undefined when it is right. */
function numberProblem(number: string): CardProblem | undefined {
  const digits = digitsOf(number);
  if (digits === '') return 'number-empty';
  const [least, most] = lengthsOf(brandOf(digits));
  if (digits.length < least) return 'number-short';
  return digits.length <= most && passesLuhn(digits) ? undefined : 'number-wrong';
}

/** Returns the problem of the expiry; undefined when it is right. */
function expiryProblem(text: string, now: Date): CardProblem | undefined {
  if (digitsOf(text) === '') return 'expiry-empty';
  const expiry = expiryOf(text);
  if (!expiry) return 'expiry-short';
  const { month, year } = expiry;
  // No card is valid for more than 30 years, so such a year is a typing error.
  if (month < 1 || month > 12 || year > now.getFullYear() + 30) return 'expiry-wrong';
  // A card is good to the end of its month.
  const isPast = new Date(year, month, 1).getTime() <= now.getTime();
  return isPast ? 'expiry-past' : undefined;
}

/** Returns the problem of the code; undefined when it is right. */
function cvcProblem({ number, cvc }: CardText): CardProblem | undefined {
  const digits = digitsOf(cvc);
  if (digits === '') return 'cvc-empty';
  return digits.length < (brandOf(number) === 'amex' ? 4 : 3) ? 'cvc-short' : undefined;
}

/** Returns the card from the texts of valid fields; undefined when the expiry is not complete. */
export function cardOf({ number, expiry, cvc }: CardText): Card | undefined {
  const until = expiryOf(expiry);
  return until && { number: digitsOf(number), ...until, cvc: digitsOf(cvc) };
}
