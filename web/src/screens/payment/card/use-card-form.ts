import { valibotResolver } from '@hookform/resolvers/valibot';
import type { ChangeEvent } from 'react';
import { type FieldError, useForm, useWatch } from 'react-hook-form';
import * as v from 'valibot';
import { onServerClock } from '@/api/server-clock';
import { useCity } from '@/entities/city/context';
import { looksLikeEmail, serverError } from '@/lib/forms';
import type { Paying } from '../use-payment';
import { useRefusedFields } from '../use-refused-fields';
import {
  brandOf,
  type CardField,
  type CardText,
  cardOf,
  isFilled,
  isNumberComplete,
  problemOf,
} from './card-rules';
import { type CardFormProblem, serverFieldOf, useCardWords } from './card-words';

type Values = CardText & { email: string };

const cardFields = ['number', 'expiry', 'cvc'] as const;

/** Returns the problem of a field; undefined when it is right. */
const formProblemOf = (field: keyof Values, typed: Values): CardFormProblem | undefined => {
  if (field !== 'email') return problemOf(field, typed, new Date(onServerClock()));
  return typed.email === '' || looksLikeEmail(typed.email) ? undefined : 'email-wrong';
};

/** All fields are checked in one step: the resolver runs none after a step that has found something. */
const rules = v.pipe(
  v.object({
    number: v.string(),
    expiry: v.string(),
    cvc: v.string(),
    email: v.pipe(v.string(), v.trim()),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const input = dataset.value;
    for (const key of [...cardFields, 'email'] as const) {
      const message = formProblemOf(key, input);
      const path = { type: 'object', origin: 'value', input, key, value: input[key] } as const;
      if (message) addIssue({ message, path: [path] });
    }
  }),
);

/**
 * Returns the form of a card and the function that pays with it. Before paying, the fields are emptied, so that
 * the card stays in no component's state, no storage and no address.
 */
export function useCardForm({ email, settings, machine, payByCard }: Paying) {
  const { say } = useCardWords();
  const country = useCity().country.code;
  const form = useForm<Values>({
    mode: 'onSubmit',
    reValidateMode: 'onSubmit',
    defaultValues: { number: '', expiry: '', cvc: '', email },
    resolver: valibotResolver(rules),
  });
  const { control } = form;
  const { errors } = form.formState;
  const brand = useWatch({ control, compute: ({ number }: Values) => brandOf(number, country) });
  const canPay = useWatch({ control, compute: isFilled }) && settings !== undefined;
  const refused = machine.refusal?.fields ?? {};
  useRefusedFields(form, {
    number: refused[serverFieldOf.number],
    expiry: refused[serverFieldOf.expiry],
    cvc: refused[serverFieldOf.cvc],
    email: refused.email,
  });

  const textOf = (error: FieldError | undefined) => {
    if (!error || error.type === serverError) return error?.message;
    return say(error.message as CardFormProblem);
  };
  const send = form.handleSubmit(({ email: receiptEmail, ...text }) => {
    const card = cardOf(text);
    if (!card) return;
    for (const field of cardFields) form.setValue(field, '');
    payByCard(card, receiptEmail);
  });
  return {
    brand,
    canPay,
    /** Whether a refusal is about the fields, which show it themselves. */
    hasFieldErrors: Object.keys(refused).length > 0,
    submit: (event: React.FormEvent) => {
      event.preventDefault();
      if (canPay) void send(event);
    },
    /**
     * Returns the props of a field of the card. The field is checked when it is left unless it is empty. When it
     * is complete, the focus moves to the next field.
     */
    cardField: (name: CardField) => ({
      ...form.register(name, {
        onChange: (event: ChangeEvent<HTMLInputElement>) => {
          form.clearErrors(name);
          if (isFieldComplete(name, form.getValues(), event))
            focusField(event.target.form, nextOf[name]);
        },
        // The error of an empty field is shown only when the visitor presses to pay.
        onBlur: () => (form.getValues(name) === '' ? form.clearErrors(name) : form.trigger(name)),
      }),
      error: textOf(errors[name]),
      required: true,
      inputMode: 'numeric' as const,
    }),
    /** Returns the props of the e-mail's field. It is called last: the first wrong field gets the focus. */
    emailField: () => ({
      ...form.register('email', { onChange: () => form.clearErrors('email') }),
      error: textOf(errors.email),
    }),
  };
}

const nextOf: Record<CardField, CardField> = { number: 'expiry', expiry: 'cvc', cvc: 'cvc' };

/** Focuses a field of the form at once. The library's setFocus waits, and digits typed meanwhile would be lost. */
function focusField(form: HTMLFormElement | null, name: CardField): void {
  const box = form?.elements.namedItem(name);
  if (box instanceof HTMLInputElement) box.focus();
}

const wholeExpiryLength = 'MM / YY'.length;

/**
 * Reports whether the last digit of a field was just typed at its end, so that the next field can take the focus. It
 * is never so for the code, the last field of the card.
 */
function isFieldComplete(
  field: CardField,
  card: CardText,
  { target: box, nativeEvent }: ChangeEvent<HTMLInputElement>,
): boolean {
  // An event that is no InputEvent, as when the browser fills in the field, counts as typing.
  const isAdded = !(nativeEvent instanceof InputEvent) || !/^delete/.test(nativeEvent.inputType);
  if (document.activeElement !== box || !isAdded) return false;
  if (box.selectionStart !== box.value.length) return false;
  if (field === 'number') return isNumberComplete(card.number);
  return field === 'expiry' && card.expiry.length === wholeExpiryLength;
}
