import { valibotResolver } from '@hookform/resolvers/valibot';
import { useLingui } from '@lingui/react/macro';
import { useForm } from 'react-hook-form';
import * as v from 'valibot';
import { useCity } from '@/entities/city/context';
import { readContact } from '@/entities/contact/contact';
import { firstPhone, maskOf, type TypedPhone } from '@/entities/contact/typed-phone';
import type { SignInParams } from '@/entities/session/require-sign-in';
import { type PhoneProblem, phoneRule, serverError } from '@/lib/forms';
import { usePhoneWords } from '@/ui/fields/phone-words';
import { useKeptDraft, withDraft } from '@/ui/hooks/kept-draft';

export type PhoneForm = ReturnType<typeof usePhoneForm>;

/**
 * Returns the form of the phone that signs in. It begins with the phone that was typed elsewhere, the draft of
 * the tab, or the phone of the last order. The tab stores the draft.
 */
export function usePhoneForm(typed: SignInParams['typed']) {
  const { t } = useLingui();
  const phoneWords = usePhoneWords();
  const { phone_masks: masks } = useCity();
  const form = useForm<TypedPhone>({
    mode: 'onSubmit',
    reValidateMode: 'onSubmit',
    defaultValues: typed?.phone
      ? firstPhone(masks, typed)
      : withDraft('sign-in', firstPhone(masks, readContact())),
    resolver: (values, context, options) => {
      const rules = v.object({
        phone: phoneRule(maskOf(masks, values.maskId)),
        maskId: v.number(),
      });
      return valibotResolver(rules)(values, context, options);
    },
  });
  useKeptDraft('sign-in', form);
  const error = form.formState.errors.phone;
  const problemText = () => {
    if (!error || error.type === serverError) return error?.message;
    switch (error.message as PhoneProblem) {
      case 'phone-required':
        return t({ id: 'login.phone-form.enter-phone-number', message: 'Enter your phone number' });
      case 'phone-short':
        return phoneWords('short');
      case 'phone-long':
        return phoneWords('long');
    }
  };
  return {
    form,
    masks,
    /** What is wrong with the phone; undefined when no problem is known. */
    problem: problemText(),
    /** Shows at the field why the phone cannot be used. */
    refuse: (message: string) => form.setError('phone', { type: serverError, message }),
  };
}
