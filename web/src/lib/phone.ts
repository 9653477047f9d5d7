/** A mask as data: `#` is a digit, everything else is written as it is, e.g. `+7 (###) ###-##-##`. */
export type PhoneMaskText = string;

/** Returns the digits of a text. */
const digitsOf = (text: string) => text.replace(/\D/g, '');

/** Returns the digits of a mask before its first `#`: `7` of `+7 (###)`, `77` of `+7 (7##)`. */
export function maskPrefix(mask: PhoneMaskText): string {
  return digitsOf(mask.slice(0, mask.indexOf('#')));
}

/** Returns the code of the mask's country: `7` of `+7 (7##)`. */
export const maskCode = (mask: PhoneMaskText) => /^\+(\d+)/.exec(mask)?.[1] ?? '';

/** Returns the digits after the code that each number of the mask begins with: `7` of `+7 (7##)`, mostly empty. */
export const maskLead = (mask: PhoneMaskText) => maskPrefix(mask).slice(maskCode(mask).length);

/** Returns the number of digits that a mask has places for. */
const countPlaces = (mask: PhoneMaskText) => mask.split('#').length - 1;

/**
 * Returns the mask in Maskito's form: a pattern or a fixed character for each place. It has one place more than
 * a number, so that a digit too many is shown and refused. Cutting it off could leave the number of another
 * person.
 */
export function toMaskPattern(mask: PhoneMaskText): (string | RegExp)[] {
  return [...[...mask].map((sign) => (sign === '#' ? /\d/ : sign)), /\d/];
}

/** The prefix that is dialed before a number within its country, by the code of the country. */
const homePrefixes: Record<string, RegExp> = {
  // 800 is the beginning of a number.
  '7': /^8(?!00)/,
  '49': /^0+/,
  '90': /^0+/,
  '375': /^(80|[80])/,
  // 8 was dialed before the 0 once.
  '380': /^(80(?!0)|0+)/,
};

/** Reports whether a digit typed before all others is a prefix that is dialed within the country only. */
export const isHomePrefix = (digit: string, mask: PhoneMaskText) =>
  homePrefixes[maskCode(mask)]?.test(digit) ?? false;

/** Returns a number without the prefix that is dialed before it within its country. */
const withoutHomePrefix = (digits: string, mask: PhoneMaskText) =>
  digits.replace(homePrefixes[maskCode(mask)] ?? '', '');

/** Reports whether a text is written in international form, with `+` or `00`. */
const isInternationalForm = (text: string) => /^\s*(\+|00)/.test(text);

/**
 * Returns the digits after the country's code, or undefined when the text cannot be a number of the
 * mask. A text that begins with the code is always read with it: a number that lacks a digit must not
 * become another number.
 */
function nationalDigits(text: string, mask: PhoneMaskText): string | undefined {
  const code = maskCode(mask);
  const lead = maskLead(mask);
  const isInternational = isInternationalForm(text);
  const digits = isInternational ? digitsOf(text).replace(/^00/, '') : digitsOf(text);
  // The text is no more than a part of the code.
  if (isInternational && code.startsWith(digits)) return '';
  // Bare digits have the code only when the lead follows: the lead may be the same digit as the code.
  const hasCode = digits.startsWith(isInternational ? code : code + lead);
  // `+8 9…` stands for `+79…`.
  const isRussianEight = code === '7' && digits.startsWith('8');
  if (isInternational && !hasCode && !isRussianEight) return undefined;
  const rest = hasCode ? digits.slice(code.length) : digits;
  // After +7 an 8 belongs to the number. Elsewhere the home prefix 0 is often written after the code.
  const national = hasCode && code === '7' ? rest : withoutHomePrefix(rest, mask);
  return national.startsWith(lead) || lead.startsWith(national) ? national : undefined;
}

/**
 * Returns the subscriber's digits of a typed or pasted text, which may have the country's code or a part of it,
 * the home prefix, `+8 9…` for `+79…`, or none of these. It returns at most one digit more than the mask has
 * places for.
 */
export function subscriberDigits(text: string, mask: PhoneMaskText): string {
  const national = nationalDigits(text, mask) ?? '';
  return national.slice(maskLead(mask).length).slice(0, countPlaces(mask) + 1);
}

/** Returns the mask filled as far as the digits go; empty when there are no digits. */
export function formatPhone(text: string, mask: PhoneMaskText): string {
  const digits = [...subscriberDigits(text, mask)];
  if (digits.length === 0) return '';
  let filled = '';
  for (const sign of mask) {
    if (sign !== '#') {
      filled += sign;
      continue;
    }
    const digit = digits.shift();
    if (digit === undefined) return filled.replace(/\D+$/, '');
    filled += digit;
  }
  return filled + digits.join('');
}

/**
 * Returns the number as it is sent to the server: digits of the mask's prefix and the subscriber; empty for no
 * digits.
 */
export function phoneDigits(text: string, mask: PhoneMaskText): string {
  const digits = subscriberDigits(text, mask);
  return digits ? maskPrefix(mask) + digits : '';
}

/** The fewest digits after the prefix in countries whose numbers differ in length; elsewhere the mask decides. */
const fewestDigits: Record<string, number> = { '49': 7 };

/** How much of a number has been entered. */
export type PhoneLength = 'none' | 'short' | 'whole' | 'long';

/** Returns how much of the mask is filled; in some countries a whole number may be shorter than the mask. */
export function phoneLength(text: string, mask: PhoneMaskText): PhoneLength {
  const { length } = subscriberDigits(text, mask);
  if (length === 0) return 'none';
  if (length > countPlaces(mask)) return 'long';
  return length < (fewestDigits[maskCode(mask)] ?? countPlaces(mask)) ? 'short' : 'whole';
}

/** Reports whether a text has as many digits as its mask. */
export const isCompletePhone = (text: string, mask: PhoneMaskText) =>
  phoneLength(text, mask) === 'whole';

/**
 * Returns a whole number (digits with the country code) in the mask of its country, or with a plus when
 * no mask fits.
 */
export function writtenPhone(
  digits: string,
  masks: readonly { code: string; mask: PhoneMaskText }[],
): string {
  const fitting = masks.find(({ mask }) => isCompletePhone(`+${digits}`, mask));
  return fitting ? formatPhone(`+${digits}`, fitting.mask) : `+${digits}`;
}

/** The country that a whole number belongs to, among those whose masks can be chosen. */
export type Belonging =
  /** The chosen country, or it is not known. */
  | { kind: 'chosen' }
  /** Another country; `phone` is the number in its mask. */
  | { kind: 'other'; maskId: number; phone: string }
  /** A country that has no mask here. */
  | { kind: 'foreign' };

interface CountryMask {
  id: number;
  mask: PhoneMaskText;
}

/**
 * Returns the country of a number that was pasted or filled in at once. A number that begins with `+`
 * or `00` names its country. A bare one is of another country when it is a whole number with that country's
 * code, or too long for the chosen mask.
 */
export function countryOf(
  text: string,
  masks: readonly CountryMask[],
  chosen: PhoneMaskText,
): Belonging {
  const isInternational = isInternationalForm(text);
  const digits = digitsOf(text);
  const fullDigits = isInternational ? digits.replace(/^00/, '') : digits;
  const isChosen = isInternational
    ? nationalDigits(text, chosen) !== undefined
    : fullDigits.startsWith(maskPrefix(chosen));
  if (isChosen) return { kind: 'chosen' };
  // The longest prefix is the most exact.
  const other = masks
    .filter(({ mask }) => fullDigits.startsWith(maskPrefix(mask)))
    .filter(
      ({ mask }) =>
        isInternational || fullDigits.length === maskPrefix(mask).length + countPlaces(mask),
    )
    .sort((a, b) => maskPrefix(b.mask).length - maskPrefix(a.mask).length)[0];
  if (other)
    return { kind: 'other', maskId: other.id, phone: formatPhone(`+${fullDigits}`, other.mask) };
  if (isInternational) return { kind: 'foreign' };
  if (isDialedAtHome(digits, chosen)) return { kind: 'chosen' };
  // Countries that share a code dial each other without it.
  const neighbour = masks.find(
    ({ mask }) => maskCode(mask) === maskCode(chosen) && isDialedAtHome(digits, mask),
  );
  if (!neighbour) return { kind: 'foreign' };
  return { kind: 'other', maskId: neighbour.id, phone: formatPhone(digits, neighbour.mask) };
}

/**
 * Reports whether bare digits can be a number as it is dialed within its country, with the home
 * prefix or without.
 */
function isDialedAtHome(digits: string, mask: PhoneMaskText): boolean {
  const national = nationalDigits(digits, mask);
  return national !== undefined && national.length <= maskLead(mask).length + countPlaces(mask);
}
