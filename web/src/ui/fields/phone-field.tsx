import { useMaskito } from '@maskito/react';
import { type Ref, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { phoneMask } from './phone-mask';
import { TextField, type TextFieldProps } from './text-field';

interface PhoneFieldProps
  extends Omit<TextFieldProps, 'type' | 'inputMode' | 'autoComplete' | 'ref'> {
  /** As the city has it: `+7 (###) ###-##-##`. */
  mask: string;
  /**
   * Called with a number that is pasted, filled in or put in by a keyboard at once, before the mask formats it. It
   * returns true when it has handled the number itself, as a number of another country; the field then ignores it.
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
  const box = useRef<HTMLInputElement>(null);
  const offerInserted = useEffectEvent((event: InputEvent) => {
    // What cannot be refused now, as a composition, is offered once it stands in the box.
    const text = event.cancelable ? (event.data ?? '') : '';
    if (!isWhole(text) || !onWhole?.(text)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  // React has no event for it, and the mask would take off the digits that it has no place for.
  useEffect(() => {
    const input = box.current;
    const offer = (event: InputEvent) => offerInserted(event);
    input?.addEventListener('beforeinput', offer, { capture: true });
    return () => input?.removeEventListener('beforeinput', offer, { capture: true });
  }, []);
  return (
    <TextField
      placeholder={mask.replaceAll('#', '_')}
      {...field}
      ref={(input) => {
        maskRef(input);
        box.current = input;
        if (typeof ref === 'function') ref(input);
        else if (ref) ref.current = input;
      }}
      onPaste={(event) => {
        if (onWhole?.(event.clipboardData.getData('text'))) event.preventDefault();
      }}
      onInputCapture={(event) => {
        const input = event.currentTarget;
        if (!isWhole(input.value) || !onWhole?.(input.value)) return;
        // Neither the mask nor the form may see a number that `onWhole` has taken.
        event.stopPropagation();
        input.value = '';
      }}
      type="tel"
      inputMode="tel"
      autoComplete="tel"
    />
  );
}
