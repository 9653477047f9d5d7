import { screen } from '@testing-library/react';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { noteServerClock } from '@/api/server-clock';
import type { Schema } from '@/api/types';
import { makeNext } from '@/testing/payments';
import { answer, refuse, server } from '@/testing/server';
import { type Given, openPayment, problem } from '../payment-page.fixture';

describe('the card form', () => {
  let publicKey = '';
  beforeAll(async () => {
    const algorithm = {
      name: 'RSA-OAEP',
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: 'SHA-256',
    };
    const keys = await crypto.subtle.generateKey(algorithm, true, ['encrypt', 'decrypt']);
    const spki = new Uint8Array(await crypto.subtle.exportKey('spki', keys.publicKey));
    const base64 = btoa(String.fromCharCode(...spki));
    publicKey = `-----BEGIN PUBLIC KEY-----\n${base64}\n-----END PUBLIC KEY-----`;
  });

  const openForm = async (given: Given = {}) => {
    const settings = { card_form: true, public_key: publicKey, ...given.settings };
    const page = openPayment({ ...given, settings });
    const number = (await screen.findByLabelText(/Card number/)) as HTMLInputElement;
    const pasteInto = async (label: RegExp, text: string) => {
      await page.user.click(screen.getByLabelText(label));
      await page.user.paste(text);
    };
    const fill = async (digits = '4242424242424242') => {
      await pasteInto(/Card number/, digits);
      await pasteInto(/Expiry date/, '12/2030');
      await pasteInto(/CVC code/, '123');
    };
    return { ...page, number, fill };
  };
  const payButton = () => screen.getByRole('button', { name: /^Pay\s*€25/ });

  it('starts nothing by itself and waits for all three fields', async () => {
    const { sent, fill, number } = await openForm();
    expect(payButton().getAttribute('aria-disabled')).toBe('true');
    await fill();
    expect(number.value).toBe('4242 4242 4242 4242');
    screen.getByAltText('Visa');
    expect(payButton().getAttribute('aria-disabled')).toBeNull();
    expect(sent).toEqual([]);
  });

  it('sends the card encrypted, and keeps nothing of it', async () => {
    const { user, sent, fill, client } = await openForm({ next: makeNext('checking') });
    await fill();
    await user.click(payButton());
    await screen.findByRole('heading', { name: 'We are asking the bank' });
    const kept = [
      JSON.stringify(sent),
      JSON.stringify(sessionStorage),
      JSON.stringify(localStorage),
      JSON.stringify(
        client
          .getQueryCache()
          .getAll()
          .map(({ state }) => state.data),
      ),
      document.body.innerHTML,
    ];
    expect(sent[0]?.body.cryptogram).toBeTruthy();
    for (const text of kept) expect(text).not.toMatch(/4242/);
  });

  it('says what is wrong with the card also while the e-mail is wrong', async () => {
    const { user, fill, number } = await openForm();
    await fill('4242424242424241');
    await user.type(screen.getByLabelText(/E-mail for the receipt/), 'anna@');
    await user.click(payButton());
    await screen.findByText('Check the e-mail address');
    screen.getByText('There is a mistake in the number. Check the digits');
    expect(document.activeElement).toBe(number);
  });

  it('says at the field what is wrong before anything is sent', async () => {
    const { user, sent, fill, number } = await openForm();
    await fill('4242424242424241');
    await user.click(payButton());
    await screen.findByText('There is a mistake in the number. Check the digits');
    expect(document.activeElement).toBe(number);
    expect(sent).toEqual([]);
  });

  it('takes a card that is valid by the clock of the server on a device whose clock is years ahead', async () => {
    const { user, sent, fill } = await openForm({ next: makeNext('checking') });
    onTestFinished(() => noteServerClock(new Response()));
    noteServerClock(new Response(null, { headers: { Date: '2020-01-15T18:00:00Z' } }));
    await fill();
    await user.click(screen.getByLabelText(/Expiry date/));
    await user.clear(screen.getByLabelText(/Expiry date/));
    await user.paste('01/2020');
    await user.click(payButton());
    await screen.findByRole('heading', { name: 'We are asking the bank' });
    expect(sent).toHaveLength(1);
  });

  it('says after a refusal that another card can be used', async () => {
    await openForm({ payment: { problem } });
    screen.getByText('Try again or with another card');
    payButton();
  });

  it('keeps the e-mail for the receipt after a refusal', async () => {
    const instead = refuse('post', '/order/pay', 422, problem);
    const { user, fill } = await openForm({ instead });
    await fill();
    await user.type(screen.getByLabelText(/E-mail for the receipt/), 'anna@example.com');
    await user.click(payButton());
    await screen.findByText('Try again or with another card');
    const email = screen.getByLabelText(/E-mail for the receipt/) as HTMLInputElement;
    expect(email.value).toBe('anna@example.com');
  });

  it('shows what the bank refused at its field, and takes the focus there', async () => {
    const { user, fill } = await openForm();
    server.use(
      refuse('post', '/order/pay', 422, {
        message: 'No',
        errors: { card_cvc: ['The code is wrong. Check it'] },
      }),
    );
    await fill();
    await user.click(payButton());
    await screen.findByText('The code is wrong. Check it');
    expect(document.activeElement).toBe(screen.getByLabelText(/CVC code/));
  });

  it('first requests what the acquirer requires in the card', async () => {
    const { user, fill, now } = await openForm({ settings: { needs_verify_param: true } });
    const bodies: Schema<'OrderPay'>[] = [];
    server.use(
      answer('post', '/order/pay', async ({ request }) => {
        bodies.push((await request.json()) as Schema<'OrderPay'>);
        if (bodies.length === 1) return makeNext('pre-auth', { verify_param: 'verify-1' });
        now.payment = { ...now.payment, state: 'checking' };
        return makeNext('checking');
      }),
    );
    await fill();
    await user.click(payButton());
    await screen.findByRole('heading', { name: 'We are asking the bank' });
    expect(bodies[0]?.cryptogram).toBeUndefined();
    expect(bodies[1]).toMatchObject({ verify_param: 'verify-1' });
    expect(bodies[1]?.cryptogram).toBeTruthy();
  });
});
