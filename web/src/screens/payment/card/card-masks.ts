import type { MaskitoOptions } from '@maskito/core';
import { normalExpiry } from './card-rules';

const digit = /\d/;

/** Up to 19 digits in groups of four. */
export const numberMask: MaskitoOptions = {
  mask: Array.from({ length: 23 }, (_, place) => (place % 5 === 4 ? ' ' : digit)),
};

/**
 * MM / YY. A month that begins with 2 to 9 gets its 0; a pasted or auto-filled text may have a year of four
 * digits, or begin with the year.
 */
export const expiryMask: MaskitoOptions = {
  mask: [/[01]/, digit, ' ', '/', ' ', digit, digit],
  preprocessors: [
    ({ elementState, data }, action) => {
      const { value, selection } = elementState;
      // The browser has set the value at once, not digit by digit.
      if (action === 'validation') {
        if (value.length < 6) return { elementState, data };
        const written = formatExpiry(normalExpiry(value));
        if (written === value) return { elementState, data };
        const end = written.length;
        return { elementState: { value: written, selection: [end, end] }, data };
      }
      const [from, to] = selection;
      const rest = value.slice(0, from) + value.slice(to);
      if (action !== 'insert' || rest !== '') return { elementState, data };
      if (data.length >= 4) return { elementState, data: normalExpiry(data) };
      return { elementState, data: /^[2-9]$/.test(data) ? `0${data}` : data };
    },
  ],
};

/** Returns the digits of an expiry as MM / YY; month digits alone stay as they are. */
const formatExpiry = (digits: string) =>
  digits.length > 2 ? `${digits.slice(0, 2)} / ${digits.slice(2, 4)}` : digits;

export const cvcMask: MaskitoOptions = { mask: [digit, digit, digit, digit] };
