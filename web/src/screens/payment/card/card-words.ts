import { useLingui } from '@lingui/react/macro';
import type { CardField, CardProblem } from './card-rules';

/** What can be wrong with the form of a card. */
export type CardFormProblem = CardProblem | 'email-wrong';

/** The server's names of the fields, under which a refusal says what is wrong with them. */
export const serverFieldOf: Record<CardField, string> = {
  number: 'card_number',
  expiry: 'card_expiry',
  cvc: 'card_cvc',
};

/** Puts the problems of a card into words: what is wrong and how to put it right. */
export function useCardWords() {
  const { t } = useLingui();
  const say = (problem: CardFormProblem): string => {
    switch (problem) {
      case 'number-empty':
        return t`Enter the card number`;
      case 'number-short':
        return t`The number is not complete`;
      case 'number-wrong':
        return t`There is a mistake in the number. Check the digits`;
      case 'expiry-empty':
        return t`Enter the month and year on the card`;
      case 'expiry-short':
        return t`Month and year, two digits each`;
      case 'expiry-wrong':
        return t`There is no such date. Check the month and year`;
      case 'expiry-past':
        return t`This card has expired. Use another one`;
      case 'cvc-empty':
        return t`Enter the code on the back of the card`;
      case 'cvc-short':
        return t`The code is not complete`;
      case 'email-wrong':
        return t`Check the e-mail address`;
    }
  };
  /** What to say about fields that somebody else found wrong, by the server's names. */
  const wrongFields = (fields: readonly CardField[]): Record<string, string> => {
    const words: Record<CardField, string> = {
      number: t`There is a mistake in the number. Check the digits`,
      expiry: t`There is no such date. Check the month and year`,
      cvc: t`Check the code`,
    };
    return Object.fromEntries(fields.map((field) => [serverFieldOf[field], words[field]]));
  };
  return { say, wrongFields };
}
