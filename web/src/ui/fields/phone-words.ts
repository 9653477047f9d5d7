import { useLingui } from '@lingui/react/macro';
import type { PhoneLength } from '@/lib/phone';

/** Returns a function that returns the text of a phone's wrong length; undefined for a right length. */
export function usePhoneWords(): (length: PhoneLength) => string | undefined {
  const { t } = useLingui();
  return (length) => {
    if (length === 'short')
      return t({
        id: 'ui.phone.number-too-short',
        message: 'The number is too short. Check the last digits',
      });
    if (length === 'long')
      return t({
        id: 'ui.phone.number-digit-too-many',
        message: 'The number has a digit too many. Check it',
      });
    return undefined;
  };
}
