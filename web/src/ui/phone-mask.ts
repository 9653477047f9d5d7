import type { MaskitoOptions } from '@maskito/core';
import { formatPhone, maskPrefix, subscriberDigits, toMaskPattern } from '@/lib/phone';

const hasNoSubscriber = (text: string, mask: string) => subscriberDigits(text, mask) === '';

/**
 * How a phone is typed, pasted and autofilled into a mask with `#` places. A trunk prefix typed or
 * pasted first (8, +7, 998) is taken for the country's, so that nobody has to correct it.
 */
export function phoneMask(mask: string): MaskitoOptions {
  const prefix = maskPrefix(mask);
  const opening = mask.slice(0, mask.indexOf('#'));
  return {
    mask: toMaskPattern(mask),
    preprocessors: [
      ({ elementState, data }, action) => {
        if (action === 'validation') {
          const value = formatPhone(elementState.value, mask);
          const end = value.length;
          return value === elementState.value || !value
            ? { elementState, data }
            : { elementState: { value, selection: [end, end] }, data };
        }
        const [from, to] = elementState.selection;
        const rest = elementState.value.slice(0, from) + elementState.value.slice(to);
        if (action !== 'insert' || !hasNoSubscriber(rest, mask)) return { elementState, data };
        const empty = { value: '', selection: [0, 0] as const };
        const digits = data.replace(/\D/g, '');
        if (digits.length > 1) return { elementState: empty, data: formatPhone(data, mask) };
        const isTrunk = digits === prefix[0] || (prefix === '7' && digits === '8');
        // Only into an empty box: after the prefix an 8 may be the first digit of 800.
        if (isTrunk && rest === '') return { elementState: empty, data: opening };
        // No Russian code begins with 0, so the 8 before it was no trunk prefix.
        if (prefix === '7' && digits === '0') return { elementState: empty, data: `${opening}80` };
        return { elementState, data };
      },
    ],
  };
}
