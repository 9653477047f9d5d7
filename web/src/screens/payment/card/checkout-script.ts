import { loadScript } from '../methods/load-script';
import type { Card, CardField, Encrypted } from './card-rules';

/** The part of CloudPayments' script, and of scripts made like it, that the page uses. */
interface Checkout {
  createPaymentCryptogram(card: {
    cardNumber: string;
    expDateMonth: string;
    expDateYear: string;
    cvv: string;
  }): Promise<string>;
}

declare global {
  interface Window {
    cp?: { Checkout: new (options: { publicId: string }) => Checkout };
  }
}

/** The fields by the script's names of its errors. */
const fieldOf: Record<string, CardField> = {
  cardNumber: 'number',
  expDateMonth: 'expiry',
  expDateYear: 'expiry',
  expDateMonthYear: 'expiry',
  cvv: 'cvc',
};

/**
 * Loads the acquirer's script and encrypts a card with it; returns the wrong fields if the script names any.
 */
export async function checkoutCryptogram(
  script: string,
  publicId: string,
  { number, month, year, cvc }: Card,
): Promise<Encrypted> {
  try {
    await loadScript(script);
  } catch {
    return { kind: 'unreachable' };
  }
  if (!window.cp) return { kind: 'impossible' };
  const checkout = new window.cp.Checkout({ publicId });
  try {
    const cryptogram = await checkout.createPaymentCryptogram({
      cardNumber: number,
      expDateMonth: String(month).padStart(2, '0'),
      expDateYear: String(year % 100).padStart(2, '0'),
      cvv: cvc,
    });
    return { kind: 'done', cryptogram };
  } catch (problems) {
    const named = typeof problems === 'object' && problems !== null ? Object.keys(problems) : [];
    const fields = named.flatMap((name) => fieldOf[name] ?? []);
    return fields.length > 0 ? { kind: 'wrong', fields } : { kind: 'impossible' };
  }
}
