import { useLingui } from '@lingui/react/macro';
import { useWatch } from 'react-hook-form';
import { CountrySelect } from '@/entities/contact/country-select';
import { useWholeNumber } from '@/entities/contact/use-whole-number';
import { serverError } from '@/lib/forms';
import { PhoneField } from '@/ui/fields/phone-field';
import { useProblemText } from './problem-text';
import type { FeedbackForm } from './use-feedback-form';

/** The field for the phone to call, with the mask of its country. */
export function PhoneInput({
  form,
  masks,
  maskOf,
}: Pick<FeedbackForm, 'form' | 'masks' | 'maskOf'>) {
  const { t } = useLingui();
  const problemText = useProblemText();
  const maskId = useWatch({ control: form.control, name: 'maskId' });
  const mask = maskOf(maskId);
  const chooseCountry = (id: number, phone = '') => {
    form.setValue('maskId', id);
    form.setValue('phone', phone);
    form.clearErrors('phone');
  };
  const onWhole = useWholeNumber(masks, mask, {
    onCountry: chooseCountry,
    onMoved: () => form.setFocus('phone'),
    onForeign: (message) => {
      form.setValue('phone', '');
      form.setError('phone', { type: serverError, message }, { shouldFocus: true });
    },
  });
  return (
    <>
      <CountrySelect masks={masks} value={maskId} onChange={(id) => chooseCountry(id)} />
      <PhoneField
        {...form.register('phone')}
        key={mask}
        mask={mask}
        onWhole={onWhole}
        label={t({ id: 'common.field.phone', message: 'Phone' })}
        required
        enterKeyHint="next"
        error={problemText(form.formState.errors.phone)}
      />
    </>
  );
}
