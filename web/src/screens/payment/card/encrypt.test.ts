import { afterEach, describe, expect, it, vi } from 'vitest';
import { makePaymentSettings } from '@/testing/payments';
import { encryptCard } from './encrypt';

const card = { number: '4242424242424242', month: 12, year: 2030, cvc: '123' };
const algorithm = {
  name: 'RSA-OAEP',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
  hash: 'SHA-256',
};

/** Returns a public key in PEM and a function that decrypts a cryptogram with the private key. */
async function makeKeys() {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['encrypt', 'decrypt']);
  const spki = new Uint8Array(await crypto.subtle.exportKey('spki', keys.publicKey));
  const base64 = btoa(String.fromCharCode(...spki));
  const lines = base64.match(/.{1,64}/g)?.join('\n');
  const pem = `-----BEGIN PUBLIC KEY-----\n${lines}\n-----END PUBLIC KEY-----\n`;
  const read = async (cryptogram: string) => {
    const sealed = Uint8Array.from(atob(cryptogram), (sign) => sign.charCodeAt(0));
    const open = await crypto.subtle.decrypt({ name: 'RSA-OAEP' }, keys.privateKey, sealed);
    return JSON.parse(new TextDecoder().decode(open)) as unknown;
  };
  return { pem, read };
}

const cryptogramOf = (result: Awaited<ReturnType<typeof encryptCard>>) =>
  result.kind === 'done' ? result.cryptogram : '';

describe('encrypting with the acquirer’s key', () => {
  it('encrypts what only the acquirer can read', async () => {
    const { pem, read } = await makeKeys();
    const settings = makePaymentSettings({ card_form: true, public_key: pem });
    const cryptogram = cryptogramOf(await encryptCard(card, settings, undefined));
    expect(cryptogram).not.toContain('4242');
    expect(await read(cryptogram)).toEqual({
      number: '4242424242424242',
      exp_month: 12,
      exp_year: 2030,
      cvc: '123',
    });
  });

  it('contains what the acquirer has issued for this attempt', async () => {
    const { pem, read } = await makeKeys();
    const settings = makePaymentSettings({ card_form: true, public_key: pem });
    const cryptogram = cryptogramOf(await encryptCard(card, settings, 'verify-1'));
    expect(await read(cryptogram)).toMatchObject({ verify_param: 'verify-1' });
  });

  it('is impossible without a key, and with an invalid one', async () => {
    const settings = makePaymentSettings({ card_form: true });
    expect(await encryptCard(card, settings, undefined)).toEqual({ kind: 'impossible' });
    const broken = { ...settings, public_key: 'not a key' };
    expect(await encryptCard(card, broken, undefined)).toEqual({ kind: 'impossible' });
  });
});

describe('encrypting with the acquirer’s script', () => {
  const settings = makePaymentSettings({
    card_form: true,
    script: 'https://bank.example/checkout.js',
    public_id: 'pk_1',
  });

  /** Stands in for the acquirer's script: loading any script sets `window.cp` with `make` as its encryption. */
  function provide(make: (card: object) => Promise<string>) {
    class Checkout {
      constructor(readonly options: { publicId: string }) {}
      createPaymentCryptogram = make;
    }
    vi.spyOn(document.head, 'append').mockImplementation((script) => {
      window.cp = { Checkout };
      queueMicrotask(() => (script as HTMLScriptElement).onload?.(new Event('load')));
    });
  }
  afterEach(() => {
    window.cp = undefined;
  });

  it('returns what the script made', async () => {
    const sentFields: object[] = [];
    provide(async (fields) => {
      sentFields.push(fields);
      return 'sealed';
    });
    expect(await encryptCard(card, settings, undefined)).toEqual({
      kind: 'done',
      cryptogram: 'sealed',
    });
    expect(sentFields).toEqual([
      { cardNumber: '4242424242424242', expDateMonth: '12', expDateYear: '30', cvv: '123' },
    ]);
  });

  it('says which fields the script finds wrong', async () => {
    provide(() => Promise.reject({ cvv: 'Cvv_Invalid', expDateYear: 'ExpDateYear_Invalid' }));
    window.cp = undefined;
    const script = { ...settings, script: 'https://bank.example/other.js' };
    expect(await encryptCard(card, script, undefined)).toEqual({
      kind: 'wrong',
      fields: ['cvc', 'expiry'],
    });
  });

  it('is put off, not impossible, while the script does not load', async () => {
    vi.spyOn(document.head, 'append').mockImplementation((script) => {
      queueMicrotask(() => (script as HTMLScriptElement).onerror?.(new Event('error')));
    });
    const script = { ...settings, script: 'https://bank.example/lost.js' };
    expect(await encryptCard(card, script, undefined)).toEqual({ kind: 'unreachable' });
    provide(async () => 'sealed');
    expect(await encryptCard(card, script, undefined)).toMatchObject({ kind: 'done' });
  });

  it('loads no script from an address that is not safe', async () => {
    const script = { ...settings, script: 'http://bank.example/checkout.js' };
    expect(await encryptCard(card, script, undefined)).toEqual({ kind: 'impossible' });
  });
});
