import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countryOf, formatPhone, isCompletePhone, maskCode, phoneDigits } from './phone';

const countries = readFileSync('../content/demo/countries.yaml', 'utf8');
const masks = [...countries.matchAll(/mask: "([^"]+)"/g)].map(([, mask = ''], id) => ({
  id,
  mask,
}));

/** Numbers of each country of the demo, without its code. */
const numbers: Record<string, string[]> = {
  '+7 (###) ###-##-##': ['9161234567', '9991122334', '4951234567', '8005553535', '8312345678'],
  '+375 (##) ###-##-##': ['291234567', '331122334', '172345678'],
  '+7 (7##) ###-##-##': ['7011234567', '7771234567', '7273456789'],
  '+90 (###) ###-##-##': ['5321234567', '2123456789'],
  '+49 (###) ########': ['15123456789', '1701234567', '301234567', '49512345678', '791612345'],
  '+380 (##) ###-##-##': ['501234567', '382123456', '441122334'],
  '+998 (##) ###-##-##': ['901234567', '712345678'],
};

/** The prefixes that are dialed before a number within its country. */
const homePrefixes: Record<string, string[]> = {
  '7': ['8'],
  '375': ['8 0', '0'],
  '90': ['0'],
  '49': ['0'],
  '380': ['0'],
};

/** Returns the number with each digit left out in turn, and with each one typed twice. */
const mistyped = (number: string) =>
  [...number].flatMap((digit, at) => [
    number.slice(0, at) + number.slice(at + 1),
    number.slice(0, at) + digit + number.slice(at),
  ]);

/** Returns the digits that are sent for a text pasted while a mask is chosen; undefined when none are. */
function digitsSent(text: string, chosen: string): string | undefined {
  const country = countryOf(text, masks, chosen);
  if (country.kind === 'foreign') return undefined;
  const mask = masks.find(({ id }) => country.kind === 'other' && id === country.maskId)?.mask;
  const shown = country.kind === 'other' ? country.phone : formatPhone(text, chosen);
  return isCompletePhone(shown, mask ?? chosen) ? phoneDigits(shown, mask ?? chosen) : undefined;
}

describe('the masks of the demo', () => {
  it('all have numbers here', () => {
    expect(masks.map(({ mask }) => mask)).toEqual(Object.keys(numbers));
  });

  describe.each(masks)('$mask', ({ mask }) => {
    const code = maskCode(mask);
    const home = homePrefixes[code] ?? [];

    it.each(numbers[mask] ?? [])('takes %s in each way it is written', (number) => {
      const forms = [`+${code} ${number}`, `00${code}${number}`, `00 ${code} ${number}`];
      for (const chosen of masks) {
        for (const text of forms) expect(digitsSent(text, chosen.mask), text).toBe(code + number);
      }
      for (const prefix of home) {
        expect(digitsSent(`${prefix} ${number}`, mask), `${prefix} ${number}`).toBe(code + number);
      }
      expect(phoneDigits(`${code}${number}`, mask)).toBe(code + number);
    });

    it.each(numbers[mask] ?? [])('makes no other number of a mistyped %s', (number) => {
      for (const wrong of mistyped(number)) {
        const whole = code + wrong;
        const forms = [`+${code} ${wrong}`, `00${code}${wrong}`, whole];
        for (const text of [...forms, ...home.map((prefix) => `${prefix} ${wrong}`)]) {
          expect(
            [undefined, code + number, whole, code + wrong.replace(/^0+/, '')],
            text,
          ).toContain(digitsSent(text, mask));
        }
      }
    });
  });
});

describe('a number as it is dialed within its country', () => {
  const ru = '+7 (###) ###-##-##';
  const kz = '+7 (7##) ###-##-##';
  const by = '+375 (##) ###-##-##';
  it.each([
    ['701 123 45 67', kz, '77011234567'],
    ['8 701 123 45 67', kz, '77011234567'],
    ['8 029 123-45-67', by, '375291234567'],
    ['916 123-45-67', ru, '79161234567'],
    // It could lack a digit after the code 7.
    ['777 123 45 67', kz, undefined],
    ['8 342 345-67-8', ru, undefined],
    ['8 771 234 56 7', kz, undefined],
    ['7 473 123-45-6', ru, undefined],
  ])('%s in %s is sent as %s', (text, mask, digits) => {
    expect(digitsSent(text, mask)).toBe(digits);
  });

  it('goes to the country of the same code that it is a number of', () => {
    expect(digitsSent('916 123-45-67', kz)).toBe('79161234567');
    expect(digitsSent('8 916 123-45-67', kz)).toBe('79161234567');
  });

  it('is not cut to the number of somebody else', () => {
    expect(formatPhone('+7 (916) 612-34-567', ru)).toBe('+7 (916) 612-34-567');
    expect(isCompletePhone('+7 (916) 612-34-567', ru)).toBe(false);
  });
});
