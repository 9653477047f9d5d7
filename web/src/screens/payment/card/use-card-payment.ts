import { useLingui } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import type { PayBody } from '../send-pay';
import type { Attempts } from '../use-attempts';
import type { PaymentMachine } from '../use-machine';
import type { Card } from './card-rules';
import { useCardWords } from './card-words';

/** How many requests one payment may take: the acquirer may answer each with a new parameter for the encryption. */
const maxRounds = 3;

/** The message of a refusal that the fields explain themselves. */
const noMessage = '';

/**
 * Returns the function that pays by a card: it encrypts the card in the browser, sends it, and applies the
 * outcome to the machine.
 */
export function useCardPayment(
  { apply, reread }: PaymentMachine,
  { request, conclude, run, refuse }: Attempts,
  settings: Schema<'PaymentSettings'> | undefined,
  bodyOf: (details: Pick<PayBody, 'email'>) => PayBody,
) {
  const { t } = useLingui();
  const words = useCardWords();

  /** Returns the encrypted card; undefined after it has refused the attempt because the card cannot be encrypted. */
  const encrypt = async (
    card: Card,
    toEncrypt: Schema<'PaymentSettings'>,
    verifyParam: string | undefined,
  ): Promise<string | undefined> => {
    const encryption = await import('./encrypt').catch(() => undefined);
    if (!encryption) {
      refuse(
        t({
          id: 'payment.card.part-of-page',
          message: 'Part of the page did not load. Reload it and pay again.',
        }),
      );
      return undefined;
    }
    const encrypted = await encryption.encryptCard(card, toEncrypt, verifyParam);
    if (encrypted.kind === 'done') return encrypted.cryptogram;
    if (encrypted.kind === 'wrong') refuse(noMessage, words.wrongFields(encrypted.fields));
    else if (encrypted.kind === 'unreachable')
      refuse(
        t({
          id: 'payment.attempts.could-not-reach-payment-service',
          message:
            'We could not reach the payment service. Try again or choose another way to pay.',
        }),
      );
    else
      refuse(
        t({
          id: 'payment.card.browser-cannot-send-card-safely',
          message: 'This browser cannot send a card safely. Choose another way to pay.',
        }),
      );
    return undefined;
  };

  return (card: Card, email: string | undefined) =>
    void run(async () => {
      if (!settings) return;
      let verifyParam = settings.verify_param;
      for (let round = 0; round < maxRounds; round += 1) {
        const body = bodyOf({ email });
        // The first request goes without a card when the encryption still needs a parameter from it.
        if (verifyParam || !settings.needs_verify_param) {
          const cryptogram = await encrypt(card, settings, verifyParam);
          if (cryptogram === undefined) return;
          body.cryptogram = cryptogram;
          body.verify_param = verifyParam;
        }
        const outcome = await request(body);
        if (outcome.kind !== 'ok' || outcome.data.reason !== 'pre-auth') {
          conclude(outcome);
          return;
        }
        verifyParam = outcome.data.verify_param;
      }
      const message = t({
        id: 'payment.card.card-could-not-be-checked',
        message: 'The card could not be checked. Try again or choose another way to pay.',
      });
      apply({ kind: 'outcomeUnknown', message });
      reread();
    });
}
