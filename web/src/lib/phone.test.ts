import { describe, expect, it } from 'vitest';
import { callHref } from './call-href';
import {
  countryOf,
  formatPhone,
  isCompletePhone,
  maskPrefix,
  phoneDigits,
  writtenPhone,
} from './phone';

const ru = '+7 (###) ###-##-##';
const de = '+49 ### ########';
const uz = '+998 (##) ###-##-##';

describe('phone', () => {
  it.each([
    '+7 (912) 345-67-89',
    '89123456789',
    '+8 912 345 67 89',
    '+8 9123456789',
    '79123456789',
    '9123456789',
    ' 8 (912) 345–67–89 ',
  ])('reads %s as one number', (typed) => {
    expect(phoneDigits(typed, ru)).toBe('79123456789');
    expect(formatPhone(typed, ru)).toBe('+7 (912) 345-67-89');
    expect(isCompletePhone(typed, ru)).toBe(true);
  });

  it('fills the mask as far as the digits go', () => {
    expect(formatPhone('91', ru)).toBe('+7 (91');
    expect(formatPhone('912', ru)).toBe('+7 (912');
    expect(formatPhone('', ru)).toBe('');
    expect(isCompletePhone('912', ru)).toBe(false);
  });

  it.each(['015112345678', '+49 015112345678', '+4915112345678', '004915112345678', '15112345678'])(
    'reads the German %s as one number',
    (typed) => {
      const german = '+49 (###) ########';
      expect(phoneDigits(typed, german)).toBe('4915112345678');
      expect(formatPhone(typed, german)).toBe('+49 (151) 12345678');
    },
  );

  it.each(['+380 67 123 45 67', '067 123 45 67', '8 067 123 45 67', '671234567'])(
    'reads the Ukrainian %s as one number',
    (typed) => {
      const ukrainian = '+380 (##) ###-##-##';
      expect(phoneDigits(typed, ukrainian)).toBe('380671234567');
      expect(countryOf(typed, [{ id: 1, mask: ukrainian }], ukrainian)).toEqual({ kind: 'chosen' });
    },
  );

  it('sends nothing when nothing was typed after the prefix', () => {
    expect(phoneDigits('+7', ru)).toBe('');
  });

  it('works for the prefixes of other countries', () => {
    expect(maskPrefix(uz)).toBe('998');
    expect(phoneDigits('+998 90 123 45 67', uz)).toBe('998901234567');
    expect(phoneDigits('901234567', uz)).toBe('998901234567');
    expect(phoneDigits('+49 151 23456789', de)).toBe('4915123456789');
  });

  it('is written in the mask of its country, and plainly when that is none of the city’s', () => {
    const masks = [
      { code: '+7', mask: ru },
      { code: '+998', mask: uz },
    ];
    expect(writtenPhone('998901234567', masks)).toBe('+998 (90) 123-45-67');
    expect(writtenPhone('4915123456789', masks)).toBe('+4915123456789');
  });

  it('makes a link that calls', () => {
    expect(callHref('+7 (800) 555-35-35')).toBe('tel:+78005553535');
  });

  it('takes the shorter numbers of countries whose numbers differ in length', () => {
    const german = '+49 (###) ########';
    expect(isCompletePhone('+49 (170) 1234567', german)).toBe(true);
    expect(isCompletePhone('+49 (170) 12', german)).toBe(false);
  });
});

describe('the country of a pasted number', () => {
  const by = '+375 (##) ###-##-##';
  const masks = [
    { id: 1, mask: ru },
    { id: 2, mask: by },
    { id: 3, mask: uz },
    { id: 4, mask: '+49 (###) ########' },
  ];
  const other = (maskId: number, phone: string) => ({ kind: 'other', maskId, phone });
  const chosen = { kind: 'chosen' };
  const foreign = { kind: 'foreign' };

  it.each([
    ['+375 29 123-45-67', ru, other(2, '+375 (29) 123-45-67')],
    ['00375 29 123-45-67', ru, other(2, '+375 (29) 123-45-67')],
    ['375291234567', ru, other(2, '+375 (29) 123-45-67')],
    ['+7 912 345-67-89', by, other(1, '+7 (912) 345-67-89')],
    ['79123456789', by, other(1, '+7 (912) 345-67-89')],
    ['+998 90 123 45 67', by, other(3, '+998 (90) 123-45-67')],
    ['+49 151 2345678', ru, other(4, '+49 (151) 2345678')],
    ['+44 20 7946 0018', ru, foreign],
    ['0044 20 7946 0018', ru, foreign],
    ['447911123456', ru, foreign],
    ['+1 (212) 555-01-23', by, foreign],
    ['+7 912 345-67-89', ru, chosen],
    ['+8 912 345 67 89', ru, chosen],
    ['8 (912) 345-67-89', ru, chosen],
    ['9123456789', ru, chosen],
    ['3751234567', ru, chosen],
    ['291234567', by, chosen],
    ['0291234567', by, chosen],
    ['0151 23456789', '+49 (###) ########', chosen],
    ['004915123456789', '+49 (###) ########', chosen],
    ['', ru, chosen],
    ['+', ru, chosen],
  ])('of %s with %s chosen', (text, mask, belonging) => {
    expect(countryOf(text, masks, mask)).toEqual(belonging);
  });
});
