import { valibotResolver } from '@hookform/resolvers/valibot';
import { useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { type IdempotencyHeader, idempotency } from '@/api/idempotency';
import type { Schema } from '@/api/types';
import { useCity } from '@/entities/city/context';
import { readContact } from '@/entities/contact/contact';
import { readLastOrder } from '@/entities/order/last-order';
import { useUser } from '@/entities/session/session';
import { serverError } from '@/lib/forms';
import { writtenPhone } from '@/lib/phone';
import { showFailure } from '@/ui/feedback/show-failure';
import { type FormKind, type FormValues, rulesOf, textsOf } from './form-rules';
import { sendForm } from './send-form';

type Masks = Schema<'City'>['phone_masks'];

export type FeedbackForm = ReturnType<typeof useFeedbackForm>;

/** A form of a kind with its call. What was typed stays after every refusal. */
export function useFeedbackForm(kind: FormKind) {
  const city = useCity();
  const { user } = useUser();
  const { phone_masks: masks } = city;
  const [isSent, setSent] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const headerOf = useHeaders();
  const maskOf = (maskId: number) =>
    (masks.find(({ id }) => id === maskId) ?? masks[0])?.mask ?? '+###############';
  const form = useForm<FormValues>({
    mode: 'onSubmit',
    reValidateMode: 'onChange',
    defaultValues: firstValues(kind, user, masks),
    resolver: (values, context, options) =>
      valibotResolver(rulesOf(kind, maskOf(values.maskId)), undefined, { raw: true })(
        values,
        context,
        options,
      ),
  });

  const send = async (values: FormValues) => {
    setBusy(true);
    const result = await sendForm(
      kind,
      values,
      maskOf(values.maskId),
      city.id,
      headerOf(JSON.stringify(values)),
    );
    setBusy(false);
    if (result.kind === 'ok') {
      setSent(true);
      return;
    }
    const fields = result.kind === 'invalid' ? result.fields : {};
    const own: readonly string[] = ['name', 'phone', ...textsOf[kind], 'wish', 'is_agreed'];
    const known = own.filter((name) => fields[name]) as (keyof FormValues)[];
    if (known.length === 0) showFailure(result);
    known.forEach((name, place) => {
      const error = { type: serverError, message: fields[name] };
      form.setError(name, error, { shouldFocus: place === 0 });
    });
  };
  const submit = form.handleSubmit((values) => (isBusy ? undefined : send(values)));
  return { form, masks, maskOf, isSent, isBusy, submit };
}

/** Returns the header of a form by its contents: the same contents are sent under the same key. */
function useHeaders(): (contents: string) => IdempotencyHeader {
  const last = useRef<{ contents: string; header: IdempotencyHeader }>(undefined);
  return (contents) => {
    if (last.current?.contents !== contents) last.current = { contents, header: idempotency() };
    return last.current.header;
  };
}

/** Begins with what is known of the visitor, so that nothing is asked for twice. */
function firstValues(
  kind: FormKind,
  user: Schema<'UserBrief'> | null | undefined,
  masks: Masks,
): FormValues {
  const contact = readContact();
  const isHere = contact && masks.some(({ id }) => id === contact.maskId);
  const known = user
    ? { name: user.name ?? '', phone: writtenPhone(user.phone, masks), maskId: masks[0]?.id ?? 0 }
    : {
        name: contact?.username ?? '',
        phone: isHere ? contact.phone : '',
        maskId: isHere ? contact.maskId : (masks[0]?.id ?? 0),
      };
  const order = kind === 'return-request' ? readLastOrder()?.orderId : undefined;
  return {
    ...known,
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
