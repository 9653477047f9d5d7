import type { Schema } from '@/api/types';
import { isSafeTarget } from '../targets';
import type { Card, Encrypted } from './card-rules';
import { checkoutCryptogram } from './checkout-script';

type Settings = Schema<'PaymentSettings'>;

/**
 * Encrypts a card on the page: by the acquirer's script where there is one, otherwise with its key.
 * The unencrypted number never leaves the page. A failure of any kind but a script that did not load returns
 * `impossible`.
 */
export async function encryptCard(
  card: Card,
  { script, public_id: publicId, public_key: publicKey }: Settings,
  verifyParam: string | undefined,
): Promise<Encrypted> {
  try {
    if (script) {
      if (!isSafeTarget(script) || !publicId) return { kind: 'impossible' };
      return await checkoutCryptogram(script, publicId, card);
    }
    if (!publicKey) return { kind: 'impossible' };
    return { kind: 'done', cryptogram: await seal(card, publicKey, verifyParam) };
  } catch {
    // The error may contain a part of the card, so it is shown nowhere.
    return { kind: 'impossible' };
  }
}

/**
 * Returns a card as JSON, encrypted by RSA-OAEP with SHA-256 and encoded in base64, in the form that
 * `internal/acquiring/sandbox/doc.go` describes.
 */
async function seal(
  { number, month, year, cvc }: Card,
  pem: string,
  verifyParam: string | undefined,
): Promise<string> {
  const algorithm = { name: 'RSA-OAEP', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('spki', bytesOf(pem), algorithm, false, ['encrypt']);
  const text = JSON.stringify({
    number,
    exp_month: month,
    exp_year: year,
    cvc,
    verify_param: verifyParam || undefined,
  });
  const sealed = await crypto.subtle.encrypt(algorithm, key, new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(sealed)));
}

/** Returns the bytes of a key in PEM, without the first and last line. */
function bytesOf(pem: string): Uint8Array<ArrayBuffer> {
  const base64 = pem.replace(/-----[^-]+-----/g, '').replace(/\s/g, '');
  return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
}
