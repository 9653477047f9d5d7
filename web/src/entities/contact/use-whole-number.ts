import { useLingui } from '@lingui/react/macro';
import { flushSync } from 'react-dom';
import type { Schema } from '@/api/types';
import { countryOf } from '@/lib/phone';

interface Listeners {
  /** Called with a number of another country; `phone` is the number in its mask. */
  onCountry: (maskId: number, phone: string) => void;
  /** Called after that, to move the cursor into the field of the other mask. */
  onMoved: () => void;
  /** Called when the number fits no mask: the field stays empty, with this text at it. */
  onForeign: (problem: string) => void;
}

/**
 * Returns the `onWhole` of a phone field: it puts a number that was pasted or filled in at once into
 * the mask of its country. It reports whether it has dealt with the number; one of the chosen country
 * is left to the field.
 */
export function useWholeNumber(
  masks: Schema<'City'>['phone_masks'],
  chosen: string,
  { onCountry, onMoved, onForeign }: Listeners,
): (text: string) => boolean {
  const { t } = useLingui();
  return (text) => {
    const country = countryOf(text, masks, chosen);
    if (country.kind === 'chosen') return false;
    if (country.kind === 'foreign') {
      onForeign(
        t({
          id: 'contact.whole-number.do-not-serve-numbers',
          message: 'We do not accept numbers from this country. Enter another number.',
        }),
      );
      return true;
    }
    // Another mask is another field: it has to be rendered before it can take the cursor.
    flushSync(() => onCountry(country.maskId, country.phone));
    onMoved();
    return true;
  };
}
