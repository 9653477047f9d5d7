import { useMaskito } from '@maskito/react';
import { type Ref, useMemo } from 'react';
import { phoneMask } from './phone-mask';
import { TextField, type TextFieldProps } from './text-field';

interface PhoneFieldProps
  extends Omit<TextFieldProps, 'type' | 'inputMode' | 'autoComplete' | 'ref'> {
  /** As the city gives it: `+7 (###) ###-##-##`. */
  mask: string;
  ref?: Ref<HTMLInputElement>;
}

/** A phone number in the city's mask; send `phoneDigits(value, mask)`. */
export function PhoneField({ mask, ref, ...field }: PhoneFieldProps) {
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
      type="tel"
      inputMode="tel"
      autoComplete="tel"
    />
  );
}
