import { useLingui } from '@lingui/react/macro';
import type { CardField, CardProblem } from './card-rules';

/** The problems of the form of a card. */
export type CardFormProblem = CardProblem | 'email-wrong';

/** The names of the fields in the server's refusals. */
export const serverFieldOf: Record<CardField, string> = {
  number: 'card_number',
  expiry: 'card_expiry',
  cvc: 'card_cvc',
};

/** Returns functions that return the texts of a card's problems and how to correct them. */
export function useCardWords() {
  const { t } = useLingui();
  const say = (problem: CardFormProblem): string => {
    switch (problem) {
      case 'number-empty':
        return t({ id: 'payment.card.enter-card-number', message: 'Enter the card number' });
      case 'number-short':
        return t({ id: 'payment.card.number-not-complete', message: 'The number is not complete' });
      case 'number-wrong':
        return t({
          id: 'payment.card.mistake-in-number',
          message: 'There is a mistake in the number. Check the digits',
        });
      case 'expiry-empty':
        return t({
          id: 'payment.card.enter-month-and-year',
          message: 'Enter the month and year on the card',
        });
      case 'expiry-short':
        return t({ id: 'payment.card.month-and-year', message: 'Month and year, two digits each' });
      case 'expiry-wrong':
        return t({
          id: 'payment.card.no-such-date',
          message: 'There is no such date. Check the month and year',
        });
      case 'expiry-past':
        return t({
          id: 'payment.card.card-expired',
          message: 'This card has expired. Use another one',
        });
      case 'cvc-empty':
        return t({
          id: 'payment.card.enter-code-on-back',
          message: 'Enter the code on the back of the card',
        });
      case 'cvc-short':
        return t({ id: 'payment.card.code-not-complete', message: 'The code is not complete' });
      case 'email-wrong':
        return t({ id: 'payment.card.check-email-address', message: 'Check the e-mail address' });
    }
  };
  /** Returns the words for fields that the acquirer found wrong, by the server's names of the fields. */
  const wrongFields = (fields: readonly CardField[]): Record<string, string> => {
    const words: Record<CardField, string> = {
      number: t({
        id: 'payment.card.mistake-in-number',
        message: 'There is a mistake in the number. Check the digits',
      }),
      expiry: t({
        id: 'payment.card.no-such-date',
        message: 'There is no such date. Check the month and year',
      }),
      cvc: t({ id: 'payment.card.check-code', message: 'Check the code' }),
    };
    return Object.fromEntries(fields.map((field) => [serverFieldOf[field], words[field]]));
  };
  return { say, wrongFields };
}
