import { valibotResolver } from '@hookform/resolvers/valibot';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import * as v from 'valibot';
import type { Schema } from '@/api/types';
import { useCity } from '@/entities/city/context';
import { type PhoneProblem, phoneRule, serverError } from '@/lib/forms';
import { formatPhone, phoneDigits } from '@/lib/phone';
import { Button } from '@/ui/button';
import { PhoneField } from '@/ui/fields/phone-field';
import { usePhoneWords } from '@/ui/fields/phone-words';
import { useSecondsUntil } from '@/ui/hooks/use-seconds-until';
import { useMoney } from '@/ui/money';
import type { Paying } from '../use-payment';
import { useRefusedFields } from '../use-refused-fields';

/** SberPay needs a phone of Russia, whatever country the city is in. */
const usualMask = '+7 (###) ###-##-##';

/** After how many milliseconds another push can be requested. */
const resendAfter = 30_000;

/** Returns the city's Russian phone mask, or the usual mask. */
const russianMask = ({ phone_masks: masks }: Schema<'City'>): string =>
  masks.find(({ country_code: code }) => code === 'RU')?.mask ?? usualMask;

/** The form for the phone that has the bank's app; it sends the request to that phone. */
export function SberPayForm({ paying }: { paying: Paying }) {
  const { t } = useLingui();
  const phoneWords = usePhoneWords();
  const money = useMoney();
  const mask = russianMask(useCity());
  const { payment, machine, pay } = paying;
  // A phone of another country does not fit the mask.
  const known = payment.phone.startsWith('7') ? formatPhone(`+${payment.phone}`, mask) : '';
  const form = useForm({
    mode: 'onSubmit',
    reValidateMode: 'onSubmit',
    defaultValues: { phone: known },
    resolver: valibotResolver(v.object({ phone: phoneRule(mask) })),
  });
  useRefusedFields(form, { phone: machine.refusal?.fields.phone });
  const error = form.formState.errors.phone;
  const errorText = () => {
    if (!error || error.type === serverError) return error?.message;
    switch (error.message as PhoneProblem) {
      case 'phone-required':
        return t({
          id: 'payment.methods.enter-number-of-phone',
          message: 'Enter the number of the phone with your bank’s app',
        });
      case 'phone-short':
        return phoneWords('short');
      case 'phone-long':
        return phoneWords('long');
    }
  };
  const send = form.handleSubmit(({ phone }) => pay({ phone: phoneDigits(phone, mask) }));
  return (
    <form noValidate onSubmit={(event) => void send(event)} className="flex flex-col gap-4">
      <PhoneField
        {...form.register('phone', { onChange: () => form.clearErrors('phone') })}
        mask={mask}
        label={t({
          id: 'payment.methods.phone-with-sberbank-online',
          message: 'Phone with SberBank Online',
        })}
        hint={t({
          id: 'payment.methods.bank-send-request-to',
          message: 'The bank will send a request to it',
        })}
        required
        enterKeyHint="done"
        error={errorText()}
      />
      <Button type="submit" size="large" wide price={money(payment.total)}>
        <Trans id="payment.methods.send-request">Send the request</Trans>
      </Button>
    </form>
  );
}

/** The request to confirm on the phone, with a button that is enabled after 30 s and sends the request again. */
export function SberPayWaiting({ paying }: { paying: Paying }) {
  const [sentAt] = useState(Date.now);
  const seconds = useSecondsUntil(sentAt + resendAfter);
  return (
    <div className="flex flex-col gap-3">
      <p>
        <Trans id="payment.methods.open-sberbank-online-on-phone">
          Open SberBank Online on your phone and confirm the payment.
        </Trans>
      </p>
      <p className="text-note text-ink-soft">
        <Trans id="payment.methods.once-paid">
          Once you have paid, this page will update by itself.
        </Trans>
      </p>
      <Button
        look="secondary"
        wide
        aria-disabled={seconds > 0 || undefined}
        onClick={() => seconds === 0 && paying.choose('sberpay')}
      >
        {seconds > 0 ? (
          <Trans id="payment.methods.send-again-in-s">Send again in {seconds} s</Trans>
        ) : (
          <Trans id="payment.methods.nothing-came">Nothing came? Send again</Trans>
        )}
      </Button>
    </div>
  );
}
