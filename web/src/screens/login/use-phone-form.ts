import { valibotResolver } from '@hookform/resolvers/valibot';
import { useLingui } from '@lingui/react/macro';
import { useForm } from 'react-hook-form';
import * as v from 'valibot';
import { useCity } from '@/entities/city/context';
import { readContact } from '@/entities/contact/contact';
import type { SignInParams } from '@/entities/session/require-sign-in';
import { type PhoneProblem, phoneRule, serverError } from '@/lib/forms';
import { usePhoneWords } from '@/ui/fields/phone-words';
import { useKeptDraft, withDraft } from '@/ui/hooks/kept-draft';

/** A phone as it was typed, in the city's mask of that id. */
type Values = Required<SignInParams>['typed'];

export type PhoneForm = ReturnType<typeof usePhoneForm>;

/**
 * Returns the form of the phone that signs in. It begins with the phone that was typed elsewhere, the draft of
 * the tab, or the phone of the last order. The tab stores the draft.
 */
export function usePhoneForm(typed: SignInParams['typed']) {
  const { t } = useLingui();
  const phoneWords = usePhoneWords();
  const { phone_masks: masks } = useCity();
  // Without a mask 15 digits are taken: no phone number has more.
  const patternOf = (maskId: number) =>
    (masks.find(({ id }) => id === maskId) ?? masks[0])?.mask ?? '+###############';
  const form = useForm<Values>({
    mode: 'onSubmit',
    reValidateMode: 'onSubmit',
    defaultValues: typed?.phone
      ? firstValues(typed, masks)
      : withDraft('sign-in', firstValues(typed, masks)),
    resolver: (values, context, options) => {
      const rules = v.object({ phone: phoneRule(patternOf(values.maskId)), maskId: v.number() });
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
    /** The mask of a chosen country. */
    patternOf,
    /** What is wrong with the phone; undefined when no problem is known. */
    problem: problemText(),
    /** Chooses another mask, with the phone in it; without a phone the field is emptied. */
    choose: (maskId: number, phone = '') => {
      form.setValue('maskId', maskId);
      form.setValue('phone', phone);
      form.clearErrors('phone');
    },
    /** Shows at the field why the phone cannot be used. */
    refuse: (message: string) => form.setError('phone', { type: serverError, message }),
  };
}

/**
 * Returns the form's first values: the typed phone, otherwise the last order's, if it is in a mask of
 * this city.
 */
function firstValues(typed: SignInParams['typed'], masks: readonly { id: number }[]): Values {
  const known = typed?.phone ? typed : readContact();
  const isHere = known && masks.some(({ id }) => id === known.maskId);
  if (isHere) return { phone: known.phone, maskId: known.maskId };
  return { phone: '', maskId: masks[0]?.id ?? 0 };
}
