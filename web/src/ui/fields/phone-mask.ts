import type { MaskitoOptions } from '@maskito/core';
import {
  formatPhone,
  isHomePrefix,
  maskCode,
  maskLead,
  maskPrefix,
  subscriberDigits,
  toMaskPattern,
} from '@/lib/phone';

/**
 * Reports whether a text has no digits after the mask's prefix, so that the next digit may still belong to a prefix.
 */
const hasOnlyPrefix = (text: string, mask: string) => subscriberDigits(text, mask) === '';

/**
 * Returns the Maskito options that format a typed, pasted or auto-filled phone by a mask with `#` for digits. A
 * prefix at the beginning (8, 0, +7, 998) becomes the country's prefix.
 */
export function phoneMask(mask: string): MaskitoOptions {
  const prefix = maskPrefix(mask);
  const code = maskCode(mask);
  const lead = maskLead(mask);
  const opening = mask.slice(0, mask.indexOf('#'));
  return {
    mask: toMaskPattern(mask),
    preprocessors: [
      ({ elementState, data }, action) => {
        // The browser has set the value at once, not digit by digit.
        if (action === 'validation') {
          const value = formatPhone(elementState.value, mask);
          const end = value.length;
          return value === elementState.value || !value
            ? { elementState, data }
            : { elementState: { value, selection: [end, end] }, data };
        }
        const [from, to] = elementState.selection;
        const rest = elementState.value.slice(0, from) + elementState.value.slice(to);
        // Only digits before the subscriber's number can be a prefix.
        if (action !== 'insert' || !hasOnlyPrefix(rest, mask)) return { elementState, data };
        const empty = { value: '', selection: [0, 0] as const };
        const digits = data.replace(/\D/g, '');
        if (digits.length > 1) return { elementState: empty, data: formatPhone(data, mask) };
        const begun = rest.replace(/\D/g, '');
        const replaceBy = (value: string) => ({ elementState: empty, data: value });
        const isOpen = begun === '' || begun === prefix;
        if (isHomePrefix(digits, mask)) {
          // Only into an empty box: after the prefix an 8 may be the first digit of 800.
          if (code === '7' && rest === '') return replaceBy(lead ? `+${code}` : opening);
          if (code !== '7' && isOpen) return replaceBy(opening);
        }
        // No Russian code begins with 0, so the 8 before it was no home prefix.
        if (prefix === '7' && digits === '0') return replaceBy(`${opening}80`);
        if (digits === '' || begun === prefix) return { elementState, data };
        if (begun + digits === prefix) return replaceBy(opening);
        if (prefix.startsWith(begun + digits)) return replaceBy(`+${begun}${digits}`);
        // The digits that looked like a prefix belong to the number itself.
        const number = begun + digits;
        return replaceBy(opening + (number.startsWith(lead) ? number.slice(lead.length) : number));
      },
    ],
  };
}
