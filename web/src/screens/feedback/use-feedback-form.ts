import { valibotResolver } from '@hookform/resolvers/valibot';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { type IdempotencyHeader, idempotency } from '@/api/idempotency';
import type { Failure } from '@/api/result';
import type { Schema } from '@/api/types';
import { useCity } from '@/entities/city/context';
import { readContact } from '@/entities/contact/contact';
import { firstPhone, maskOf, type PhoneMasks } from '@/entities/contact/typed-phone';
import { readLastOrder } from '@/entities/order/last-order';
import { userQuery } from '@/entities/session/queries';
import { useUser } from '@/entities/session/session';
import { serverError } from '@/lib/forms';
import { formatPhone, isCompletePhone } from '@/lib/phone';
import { showFailure } from '@/ui/feedback/show-failure';
import { useKeptDraft, withDraft } from '@/ui/hooks/kept-draft';
import { type FormKind, type FormValues, fieldsOf, rulesOf } from './form-rules';
import { sendForm } from './send-form';

export type FeedbackForm = ReturnType<typeof useFeedbackForm>;

/**
 * Returns the form of a kind and the function that sends it. The tab stores the typed values until they are
 * sent, also after a refusal and after closing.
 */
export function useFeedbackForm(kind: FormKind) {
  const city = useCity();
  const { user } = useUser();
  const { phone_masks: masks } = city;
  const [isSent, setSent] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const headerOf = useHeaders();
  const form = useForm<FormValues>({
    mode: 'onSubmit',
    reValidateMode: 'onChange',
    defaultValues: withDraft(kind, firstValues(kind, user, masks)),
    resolver: (values, context, options) =>
      valibotResolver(rulesOf(kind, maskOf(masks, values.maskId)), undefined, { raw: true })(
        values,
        context,
        options,
      ),
  });

  useProfileEmail(kind, form, Boolean(user));

  // The draft leaves the consent out: it belongs to one form that is sent.
  const dropDraft = useKeptDraft(kind, form, 'is_agreed');

  const send = async (values: FormValues) => {
    setBusy(true);
    const result = await sendForm(
      kind,
      values,
      maskOf(masks, values.maskId),
      city.id,
      headerOf(JSON.stringify(values)),
    );
    setBusy(false);
    if (result.kind === 'ok') {
      dropDraft();
      setSent(true);
      return;
    }
    showRefusal(result);
  };
  /** Shows a failure at its fields, else in the form, else over the page. */
  const showRefusal = (failure: Failure) => {
    const reasons = failure.kind === 'invalid' ? failure.fields : {};
    const own = ['name', 'phone', ...fieldsOf[kind], 'is_agreed'] as const;
    const refused = own.filter((name) => reasons[name]);
    refused.forEach((name, index) => {
      const error = { type: serverError, message: reasons[name] };
      form.setError(name, error, { shouldFocus: index === 0 });
    });
    if (refused.length > 0) return;
    if (failure.kind === 'tooMany') form.setError('root', { message: failure.message });
    else showFailure(failure);
  };
  const submit = form.handleSubmit((values) => (isBusy ? undefined : send(values)));
  return { form, masks, isSent, isBusy, submit };
}

/**
 * Fills in the e-mail of a signed-in customer's profile once it is loaded, in place of none or that of the last
 * order. An e-mail that was typed stays.
 */
function useProfileEmail(kind: FormKind, form: UseFormReturn<FormValues>, isSignedIn: boolean) {
  const { data: email } = useQuery({
    ...userQuery(),
    select: (profile) => profile.email,
    enabled: isSignedIn && fieldsOf[kind].includes('email'),
  });
  useEffect(() => {
    const current = form.getValues('email');
    if (email && (current === '' || current === readContact()?.email))
      form.setValue('email', email);
  }, [form, email]);
}

/** Returns the header of a form by its contents: the same contents are sent under the same key. */
function useHeaders(): (contents: string) => IdempotencyHeader {
  const last = useRef<{ contents: string; header: IdempotencyHeader }>(undefined);
  return (contents) => {
    if (last.current?.contents !== contents) last.current = { contents, header: idempotency() };
    return last.current.header;
  };
}

/**
 * Returns the form's first values: the name and phone of the account or the last order, the e-mail of the last
 * order, and its number for a return request.
 */
function firstValues(
  kind: FormKind,
  user: Schema<'UserBrief'> | null | undefined,
  masks: PhoneMasks,
): FormValues {
  const contact = readContact();
  const order = kind === 'return-request' ? readLastOrder()?.orderId : undefined;
  return {
    name: (user ? user.name : contact?.username) ?? '',
    ...(user ? ownPhone(user.phone, masks) : firstPhone(masks, contact)),
    email: contact?.email ?? '',
    city_name: '',
    company: '',
    product_category: '',
    shop: '',
    square: '',
    order_id: order ? String(order) : '',
    wish: 'return',
    message: '',
    is_agreed: false,
  };
}

/** Returns the phone of a customer in its mask; empty where the city has no mask for it. */
function ownPhone(digits: string, masks: PhoneMasks) {
  const fitting = masks.find(({ mask }) => isCompletePhone(`+${digits}`, mask));
  return fitting
    ? { phone: formatPhone(`+${digits}`, fitting.mask), maskId: fitting.id }
    : firstPhone(masks);
}
