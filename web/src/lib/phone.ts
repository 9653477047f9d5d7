/** A mask as data: `#` is a digit, everything else stands as it is, e.g. `+7 (###) ###-##-##`. */
export type PhoneMaskText = string;

const digitsOf = (text: string) => text.replace(/\D/g, '');

/** The digits that the mask itself brings, before its first `#`: `7` of `+7 (###)`. */
export function maskPrefix(mask: PhoneMaskText): string {
  return digitsOf(mask.slice(0, mask.indexOf('#')));
}

const placesIn = (mask: PhoneMaskText) => mask.split('#').length - 1;

/** The mask as Maskito wants it: a pattern or a fixed character at each place. */
export function toMaskPattern(mask: PhoneMaskText): (string | RegExp)[] {
  return [...mask].map((sign) => (sign === '#' ? /\d/ : sign));
}

/** Countries where numbers are said with a 0 in front at home, and never have one after the prefix. */
const saidWithZero: ReadonlySet<string> = new Set(['49', '90', '380']);

/** Whether a 0 before the subscriber's digits is only how the country says its numbers. */
export const hasTrunkZero = (mask: PhoneMaskText) => saidWithZero.has(maskPrefix(mask));

/**
 * The subscriber's digits of whatever was typed or pasted: with the country's prefix or a part of
 * it, with the trunk 0 or the Russian trunk 8, with `+8 9…` for `+79…`, or bare.
 */
export function subscriberDigits(text: string, mask: PhoneMaskText): string {
  const prefix = maskPrefix(mask);
  const places = placesIn(mask);
  const typed = digitsOf(text);
  const digits = typed.startsWith(`00${prefix}`) ? typed.slice(2) : typed;
  if (text.trim().startsWith('+') && prefix.startsWith(digits)) return '';
  const trunk = prefix === '7' && digits.startsWith('8') && digits.length > places;
  if (trunk) return digits.slice(1, 1 + places);
  const carriesPrefix =
    digits.startsWith(prefix) && (digits.length > places || text.trim().startsWith('+'));
  const said = carriesPrefix ? digits.slice(prefix.length) : digits;
  return (hasTrunkZero(mask) ? said.replace(/^0+/, '') : said).slice(0, places);
}

/** Fills the mask as far as the digits go; empty for no digits. */
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
  return filled;
}

/** What is sent to the server: country prefix and subscriber, digits only; empty for no digits. */
export function phoneDigits(text: string, mask: PhoneMaskText): string {
  const digits = subscriberDigits(text, mask);
  return digits ? maskPrefix(mask) + digits : '';
}

/** The fewest digits after the prefix in countries whose numbers differ in length; elsewhere the mask tells. */
const fewestDigits: Record<string, number> = { '49': 7 };

/** Whether every place of the mask is filled; in some countries numbers may end before it does. */
export function isCompletePhone(text: string, mask: PhoneMaskText): boolean {
  const fewest = fewestDigits[maskPrefix(mask)] ?? placesIn(mask);
  return subscriberDigits(text, mask).length >= fewest;
}

/** A number that is known in full (digits with the country code) in the mask of its country; with a plus when none fits. */
export function writtenPhone(
  digits: string,
  masks: readonly { code: string; mask: PhoneMaskText }[],
): string {
  const mask = masks.find(({ code }) => digits.startsWith(digitsOf(code)))?.mask;
  return mask ? formatPhone(`+${digits}`, mask) : `+${digits}`;
}

/** A link that calls the number. */
export function callHref(phone: string): string {
  return `tel:${phone.trim().startsWith('+') ? '+' : ''}${digitsOf(phone)}`;
}

/** What a whole number says of its country, among the masks that can be chosen. */
export type Belonging =
  /** It fits the chosen mask, or does not tell. */
  | { kind: 'chosen' }
  /** It is of another country; `phone` is it in that country's mask. */
  | { kind: 'other'; maskId: number; phone: string }
  /** It is of a country that there is no mask for. */
  | { kind: 'foreign' };

interface CountryMask {
  id: number;
  mask: PhoneMaskText;
}

/**
 * Which country a number is of that was pasted or filled in at once. A number that begins with `+` or
 * `00` always tells; a bare one only when it is too long for the chosen mask. `+8 9…` is how some
 * write a Russian number.
 */
export function countryOf(
  text: string,
  masks: readonly CountryMask[],
  chosen: PhoneMaskText,
): Belonging {
  const digits = digitsOf(text);
  const isWritten = /^\s*(\+|00)/.test(text);
  // A local number may begin with zeros of its own.
  const abroad = isWritten ? digits.replace(/^00/, '') : digits;
  const own = maskPrefix(chosen);
  const saysEight = own === '7' && /^89/.test(digits);
  if (abroad.startsWith(own) || own.startsWith(abroad) || saysEight) return { kind: 'chosen' };
  if (!isWritten && isHomely(digits, chosen)) return { kind: 'chosen' };
  const other = masks
    .filter(({ mask }) => abroad.startsWith(maskPrefix(mask)))
    .filter(({ mask }) => isWritten || abroad.length === maskPrefix(mask).length + placesIn(mask))
    .sort((a, b) => maskPrefix(b.mask).length - maskPrefix(a.mask).length)[0];
  if (!other) return { kind: 'foreign' };
  return { kind: 'other', maskId: other.id, phone: formatPhone(`+${abroad}`, other.mask) };
}

/** Whether bare digits can be a number as it is said at home, with or without the trunk digit. */
function isHomely(digits: string, mask: PhoneMaskText): boolean {
  const trunk = maskPrefix(mask) === '7' ? /^8/ : /^0/;
  return digits.replace(trunk, '').length <= placesIn(mask);
}
