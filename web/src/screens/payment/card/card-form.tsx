import { Trans, useLingui } from '@lingui/react/macro';
import type { MaskitoOptions } from '@maskito/core';
import { useMaskito } from '@maskito/react';
import type { RefCallback } from 'react';
import { Button } from '@/ui/button';
import { TextField, type TextFieldProps } from '@/ui/fields/text-field';
import { useMoney } from '@/ui/money';
import { wasRefused } from '../machine';
import type { Paying } from '../use-payment';
import { CardMark } from './card-mark';
import { cvcMask, expiryMask, numberMask } from './card-masks';
import { useCardForm } from './use-card-form';

/** The form of a card: number, expiry, code and the e-mail for the receipt. */
export function CardForm({ paying }: { paying: Paying }) {
  const { t } = useLingui();
  const money = useMoney();
  const { payment, machine } = paying;
  const { brand, canPay, hasFieldErrors, submit, cardField, emailField } = useCardForm(paying);
  return (
    <form noValidate autoComplete="on" onSubmit={submit} className="flex flex-col gap-4">
      {wasRefused(machine, payment) && !hasFieldErrors && (
        <p>
          <Trans id="payment.try-again">Try again or with another card</Trans>
        </p>
      )}
      <div className="relative">
        <MaskedField
          {...cardField('number')}
          mask={numberMask}
          label={t({ id: 'payment.card.card-number', message: 'Card number' })}
          autoComplete="cc-number"
          placeholder="0000 0000 0000 0000"
        />
        <span className="pointer-events-none absolute inset-bs-8 inset-e-3">
          <CardMark brand={brand} />
        </span>
      </div>
      <div className="grid grid-cols-2 gap-3">
        <MaskedField
          {...cardField('expiry')}
          mask={expiryMask}
          label={t({ id: 'payment.card.expiry-date', message: 'Expiry date' })}
          autoComplete="cc-exp"
          placeholder={t({ id: 'payment.card.mm-yy', message: 'MM / YY' })}
        />
        {/* Dots in place of digits, without the browser taking it for a password to save. */}
        <div className="[&_input]:[-webkit-text-security:disc]">
          <MaskedField
            {...cardField('cvc')}
            mask={cvcMask}
            label={t({ id: 'payment.card.cvc-code', message: 'CVC code' })}
            autoComplete="cc-csc"
            placeholder="000"
          />
        </div>
      </div>
      <TextField
        {...emailField()}
        type="email"
        inputMode="email"
        autoComplete="email"
        label={t({ id: 'common.field.receipt-email', message: 'E-mail for the receipt' })}
        hint={t({ id: 'payment.card.if-want-one-by-email', message: 'If you want one by e-mail' })}
      />
      <Button
        type="submit"
        size="large"
        wide
        aria-disabled={!canPay || undefined}
        price={money(payment.total)}
      >
        <Trans id="payment.pay">Pay</Trans>
      </Button>
    </form>
  );
}

interface MaskedFieldProps extends TextFieldProps {
  mask: MaskitoOptions;
  ref: RefCallback<HTMLInputElement>;
}

/** A text field that formats its text by a mask. */
function MaskedField({ mask, ref, ...field }: MaskedFieldProps) {
  const maskRef = useMaskito({ options: mask });
  return (
    <TextField
      {...field}
      ref={(box) => {
        maskRef(box);
        ref(box);
      }}
    />
  );
}
