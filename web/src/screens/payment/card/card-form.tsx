import { Trans, useLingui } from '@lingui/react/macro';
import type { MaskitoOptions } from '@maskito/core';
import { useMaskito } from '@maskito/react';
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useCity } from '@/entities/city/context';
import { Button } from '@/ui/button';
import { useMoney } from '@/ui/money';
import { TextField } from '@/ui/text-field';
import { wasRefused } from '../machine';
import type { Paying } from '../use-payment';
import { CardMark } from './card-mark';
import { cvcMask, expiryMask, numberMask } from './card-masks';
import {
  brandOf,
  type CardBrand,
  type CardField,
  type CardText,
  cardOf,
  isFilled,
  isWholeNumber,
  problemOf,
} from './card-rules';
import { serverFieldOf, useCardWords } from './card-words';

const order = ['number', 'expiry', 'cvc'] as const;

type Errors = Partial<Record<CardField, string>>;

/**
 * A card: number, expiry, code. What is typed stays in the fields themselves, which go away with it as
 * soon as it is sent; no state, no storage and no address ever holds any of it.
 */
export function CardForm({ paying }: { paying: Paying }) {
  const { t } = useLingui();
  const money = useMoney();
  const { say } = useCardWords();
  const country = useCity().country.code;
  const { payment, settings, machine, payByCard } = paying;
  const number = useRef<HTMLInputElement>(null);
  const expiry = useRef<HTMLInputElement>(null);
  const cvc = useRef<HTMLInputElement>(null);
  const email = useRef<HTMLInputElement>(null);
  const fields = { number, expiry, cvc };
  const [brand, setBrand] = useState<CardBrand>();
  const [canPay, setCanPay] = useState(false);
  const [errors, setErrors] = useState<Errors>(() => refusedFields(machine.refusal?.fields));
  const [emailError, setEmailError] = useState(machine.refusal?.fields.email);
  useFocusOnRefusal(fields, errors);

  const isFieldsOwn = Object.keys(machine.refusal?.fields ?? {}).length > 0;

  const typed = (): CardText => ({
    number: number.current?.value ?? '',
    expiry: expiry.current?.value ?? '',
    cvc: cvc.current?.value ?? '',
  });

  const check = (field: CardField) => {
    const card = typed();
    // An empty field is only missed when one wants to pay.
    const problem = card[field] === '' ? undefined : problemOf(field, card, new Date());
    setErrors((before) => ({ ...before, [field]: problem && say(problem) }));
  };

  const follow = (field: CardField, event: FormEvent<HTMLInputElement>) => {
    const card = typed();
    setCanPay(isFilled(card));
    if (field === 'number') setBrand(brandOf(card.number, country));
    setErrors((before) => ({ ...before, [field]: undefined }));
    if (isTypedToItsEnd(field, card, event)) fields[nextOf[field]].current?.focus();
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!canPay || !settings) return;
    const card = typed();
    const found: Errors = {};
    for (const field of order) {
      const problem = problemOf(field, card, new Date());
      if (problem) found[field] = say(problem);
    }
    const isBadEmail = email.current?.validity.valid === false;
    setEmailError(isBadEmail ? t`Check the e-mail address` : undefined);
    setErrors(found);
    const firstWrong = order.find((field) => found[field]);
    const entered = cardOf(card);
    if (firstWrong || isBadEmail || !entered) {
      (firstWrong ? fields[firstWrong] : email).current?.focus();
      return;
    }
    const receipt = email.current?.value.trim() || undefined;
    for (const field of order) if (fields[field].current) fields[field].current.value = '';
    payByCard(entered, receipt);
  };

  const about = (field: CardField) => ({
    error: errors[field],
    required: true,
    inputMode: 'numeric' as const,
    onBlur: () => check(field),
    onInput: (event: FormEvent<HTMLInputElement>) => follow(field, event),
  });

  return (
    <form noValidate autoComplete="on" onSubmit={submit} className="flex flex-col gap-4">
      {wasRefused(machine, payment) && !isFieldsOwn && (
        <p>
          <Trans>Try again or with another card</Trans>
        </p>
      )}
      <div className="relative">
        <TextField
          {...about('number')}
          ref={useMasked(number, numberMask)}
          label={t`Card number`}
          autoComplete="cc-number"
          placeholder="0000 0000 0000 0000"
        />
        <span className="pointer-events-none absolute inset-bs-8 inset-e-3">
          <CardMark brand={brand} />
        </span>
      </div>
      <div className="grid grid-cols-2 gap-3">
        <TextField
          {...about('expiry')}
          ref={useMasked(expiry, expiryMask)}
          label={t`Expiry date`}
          autoComplete="cc-exp"
          placeholder={t`MM / YY`}
        />
        {/* Dots in place of digits, without the browser taking it for a password to save. */}
        <div className="[&_input]:[-webkit-text-security:disc]">
          <TextField
            {...about('cvc')}
            ref={useMasked(cvc, cvcMask)}
            label={t`CVC code`}
            autoComplete="cc-csc"
            placeholder="000"
          />
        </div>
      </div>
      <TextField
        ref={email}
        type="email"
        inputMode="email"
        autoComplete="email"
        label={t`E-mail for the receipt`}
        hint={t`If you want one by e-mail`}
        defaultValue={payment.email}
        error={emailError}
        onInput={() => setEmailError(undefined)}
      />
      <Button
        type="submit"
        size="large"
        wide
        aria-disabled={!canPay || !settings || undefined}
        price={money(payment.total)}
      >
        <Trans>Pay</Trans>
      </Button>
    </form>
  );
}

const nextOf: Record<CardField, CardField> = { number: 'expiry', expiry: 'cvc', cvc: 'cvc' };

/** Whether the last digit of a field was just typed, so that the next one can take over. */
function isTypedToItsEnd(
  field: CardField,
  card: CardText,
  { currentTarget: box, nativeEvent }: FormEvent<HTMLInputElement>,
): boolean {
  const isAdded = !(nativeEvent instanceof InputEvent) || !/^delete/.test(nativeEvent.inputType);
  if (document.activeElement !== box || !isAdded) return false;
  if (box.selectionStart !== box.value.length) return false;
  if (field === 'number') return isWholeNumber(card.number);
  return field === 'expiry' && card.expiry.length === 7;
}

/** The field itself and its mask, by one ref. */
function useMasked(field: RefObject<HTMLInputElement | null>, options: MaskitoOptions) {
  const mask = useMaskito({ options });
  return (box: HTMLInputElement | null) => {
    field.current = box;
    mask(box);
  };
}

const refusedFields = (fields: Record<string, string> = {}): Errors =>
  Object.fromEntries(order.map((field) => [field, fields[serverFieldOf[field]]]));

/** After a refusal the fields come back empty; the first that was wrong gets the focus. */
function useFocusOnRefusal(
  fields: Record<CardField, RefObject<HTMLInputElement | null>>,
  errors: Errors,
) {
  const first = useRef(order.find((field) => errors[field]));
  const boxes = useRef(fields);
  useEffect(() => {
    if (first.current) boxes.current[first.current].current?.focus();
  }, []);
}
