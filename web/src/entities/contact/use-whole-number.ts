import { useLingui } from '@lingui/react/macro';
import { flushSync } from 'react-dom';
import type { Schema } from '@/api/types';
import { countryOf } from '@/lib/phone';

interface Listeners {
  /** Called with a number of another country; `phone` is the number in its mask. */
  onCountry: (maskId: number, phone: string) => void;
  /** Called after `onCountry`, to move the cursor into the field of the other mask. */
  onMoved: () => void;
  /** Called when the number fits no mask: the field stays empty, with this text at it. */
  onForeign: (problem: string) => void;
}

/**
 * Returns the `onWhole` of a phone field, for a number that was pasted or filled in at once. It puts a
 * number of another country into that country's mask and returns true. It returns false for a number of
 * the chosen country, which the field itself takes.
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
