import { useMaskito } from '@maskito/react';
import { type Ref, useMemo } from 'react';
import { phoneMask } from './phone-mask';
import { TextField, type TextFieldProps } from './text-field';

interface PhoneFieldProps
  extends Omit<TextFieldProps, 'type' | 'inputMode' | 'autoComplete' | 'ref'> {
  /** As the city has it: `+7 (###) ###-##-##`. */
  mask: string;
  /**
   * Called with a pasted or auto-filled number before the mask formats it. It returns true when it has handled
   * the number itself, as a number of another country; the field then ignores the number.
   */
  onWhole?: (text: string) => boolean;
  ref?: Ref<HTMLInputElement>;
}

/** Reports whether a text has enough digits for a number; fewer are still being typed. */
const isWhole = (text: string) => text.replace(/\D/g, '').length >= 8;

/** The field for a phone number in a mask. Its value is the formatted text; send `phoneDigits(value, mask)`. */
export function PhoneField({ mask, onWhole, ref, ...field }: PhoneFieldProps) {
  const options = useMemo(() => phoneMask(mask), [mask]);
  const maskRef = useMaskito({ options });
  return (
    <TextField
      placeholder={mask.replaceAll('#', '_')}
      {...field}
      ref={(input) => {
        maskRef(input);
        if (typeof ref === 'function') ref(input);
        else if (ref) ref.current = input;
      }}
      onPaste={(event) => {
        if (onWhole?.(event.clipboardData.getData('text'))) event.preventDefault();
      }}
      onInputCapture={(event) => {
        const box = event.currentTarget;
        if (!isWhole(box.value) || !onWhole?.(box.value)) return;
        // Neither the mask nor the form may see a number that `onWhole` has taken.
        event.stopPropagation();
        box.value = '';
      }}
      type="tel"
      inputMode="tel"
      autoComplete="tel"
    />
  );
}
