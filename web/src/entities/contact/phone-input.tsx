import type { Ref } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { serverError } from '@/lib/forms';
import { PhoneField } from '@/ui/fields/phone-field';
import type { TextFieldProps } from '@/ui/fields/text-field';
import { CountrySelect } from './country-select';
import { maskOf, type PhoneMasks, type TypedPhone } from './typed-phone';
import { useWholeNumber } from './use-whole-number';

interface PhoneInputProps<Values extends TypedPhone>
  extends Pick<TextFieldProps, 'label' | 'required' | 'enterKeyHint' | 'error'> {
  /** The form whose fields `phone` and `maskId` it fills in. */
  form: UseFormReturn<Values>;
  /** The city's masks. */
  masks: PhoneMasks;
  /** Called after each change of the number or of its country. */
  onTyped?: (typed: TypedPhone) => void;
  /** Called when the field of the number is left. */
  onLeave?: () => void;
  ref?: Ref<HTMLInputElement>;
}

/**
 * The field for a phone with the choice of its country, where there are several. A number that was pasted or filled
 * in at once chooses its country by itself.
 */
export function PhoneInput<Values extends TypedPhone>({
  form,
  masks,
  onTyped,
  onLeave,
  ref,
  ...field
}: PhoneInputProps<Values>) {
  // Every such form has these two fields, but the compiler cannot derive that of a generic type.
  const own = form as unknown as UseFormReturn<TypedPhone>;
  const maskId = useWatch({ control: own.control, name: 'maskId' });
  const mask = maskOf(masks, maskId);
  // After a change of the country the number is typed again, unless the whole number is known.
  const chooseCountry = (id: number, phone = '') => {
    own.setValue('maskId', id);
    own.setValue('phone', phone);
    own.clearErrors('phone');
    onTyped?.({ phone, maskId: id });
  };
  const focusPhone = () => own.setFocus('phone');
  const onWhole = useWholeNumber(masks, mask, {
    onCountry: chooseCountry,
    onMoved: focusPhone,
    onForeign: (message) => {
      own.setValue('phone', '');
      onTyped?.({ phone: '', maskId });
      own.setError('phone', { type: serverError, message });
      focusPhone();
    },
  });
  const { ref: registered, ...events } = own.register('phone', {
    onChange: () => onTyped?.(own.getValues()),
    onBlur: onLeave,
  });
  return (
    <>
      <CountrySelect masks={masks} value={maskId} onChange={(id) => chooseCountry(id)} />
      <PhoneField
        {...events}
        {...field}
        key={mask}
        ref={(input) => {
          registered(input);
          if (typeof ref === 'function') ref(input);
          else if (ref) ref.current = input;
        }}
        mask={mask}
        onWhole={onWhole}
      />
    </>
  );
}
