import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useRef, useState } from 'react';
import { api } from '@/api/client';
import { attempt, type Failure } from '@/api/result';
import { useCity } from '@/entities/city/context';
import { orderQuery } from '@/entities/order/queries';
import { phoneDigits, phoneLength } from '@/lib/phone';
import { Button } from '@/ui/button';
import { PhoneField } from '@/ui/phone-field';
import { usePhoneWords } from '@/ui/phone-words';
import { showFailure } from '@/ui/show-failure';
import { TextField } from '@/ui/text-field';

interface LookUpFormProps {
  /** The number that is known already. */
  orderId?: number;
  onFound: (order: { orderId: number; cityAlias: string }) => void;
}

type Errors = Partial<Record<'phone' | 'order_id', string>>;

/** Opens an order to this browser by its number and phone. */
export function LookUpForm({ orderId, onFound }: LookUpFormProps) {
  const { t } = useLingui();
  const phoneWords = usePhoneWords();
  const client = useQueryClient();
  const { phone_masks: masks } = useCity();
  const mask = masks[0]?.mask ?? '+###############';
  const form = useRef<HTMLFormElement>(null);
  const [phone, setPhone] = useState('');
  const [number, setNumber] = useState(orderId ? String(orderId) : '');
  const [errors, setErrors] = useState<Errors>({});
  const [isBusy, setBusy] = useState(false);

  // A refusal moves the focus, and so leaves a field, before it is drawn: nothing of it may be lost.
  const tell = (name: keyof Errors, problem?: string) =>
    setErrors((told) => ({ ...told, [name]: problem }));
  const length = phoneLength(phone, mask);
  const problems: Errors = {
    order_id: number === '' ? t`Enter the number of the order` : undefined,
    phone:
      length === 'none' ? t`Enter the phone that the order was placed with` : phoneWords(length),
  };
  /** Tells what is missing when a field is left, takes it back as soon as it is right. */
  const check = (name: keyof Errors) => tell(name, problems[name]);
  const clear = (name: keyof Errors) => tell(name, undefined);

  const refuse = (found: Errors) => {
    setErrors(found);
    const name = found.order_id ? 'order_id' : 'phone';
    form.current?.querySelector<HTMLInputElement>(`[name="${name}"]`)?.focus();
  };
  const fail = (failure: Failure) => {
    if (failure.kind === 'invalid' || failure.kind === 'notFound') {
      const fields = failure.kind === 'invalid' ? failure.fields : {};
      const known = { phone: fields.phone, order_id: fields.order_id };
      refuse(known.phone || known.order_id ? known : { order_id: failure.message });
    } else if (failure.kind === 'tooMany') {
      const minutes = Math.ceil(failure.retryAfter / 60);
      const why = failure.message.replace(/[^.]$/, '$&.');
      refuse({ phone: [why, t`Try again in ${minutes} min.`].filter(Boolean).join(' ') });
    } else {
      showFailure(failure);
    }
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (problems.order_id || problems.phone) {
      refuse(problems);
      return;
    }
    setBusy(true);
    setErrors({});
    const body = { order_id: Number(number), phone: phoneDigits(phone, mask) };
    const result = await attempt(api.POST('/order/status', { body }));
    setBusy(false);
    if (result.kind !== 'ok') {
      fail(result);
      return;
    }
    const { order_id: found, city_alias: cityAlias } = result.data;
    // It may have been asked for and refused before.
    await client.resetQueries({ queryKey: orderQuery(found).queryKey });
    onFound({ orderId: found, cityAlias });
  };

  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => void submit(event)}
      className="flex flex-col gap-4"
    >
      <TextField
        name="order_id"
        label={t`Order number`}
        required
        inputMode="numeric"
        autoComplete="off"
        maxLength={12}
        value={number}
        onChange={(event) => {
          setNumber(event.target.value.replace(/\D/g, ''));
          clear('order_id');
        }}
        onBlur={() => number !== '' && check('order_id')}
        error={errors.order_id}
      />
      <PhoneField
        name="phone"
        mask={mask}
        label={t`Phone`}
        required
        defaultValue=""
        onChange={(event) => {
          setPhone(event.target.value);
          clear('phone');
        }}
        onBlur={() => phone !== '' && check('phone')}
        error={errors.phone}
      />
      <Button type="submit" size="large" wide busy={isBusy}>
        <Trans>Find the order</Trans>
      </Button>
    </form>
  );
}
