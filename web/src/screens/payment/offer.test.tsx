import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { makePaymentSettings, makePaymentType } from '@/testing/payments';
import { answer, refuse, server } from '@/testing/server';
import { openPayment, problem } from './payment-page.fixture';

it('asks for the settings of the payment again when they did not come', async () => {
  const { user, sent } = openPayment({
    instead: refuse('post', '/order/payment-settings', 503, { message: 'Busy' }),
  });
  const again = await screen.findByRole('button', { name: 'Try again' }, { timeout: 15_000 });
  expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull();
  server.use(
    answer('post', '/order/payment-settings', () => makePaymentSettings({ card_form: true })),
  );
  await user.click(again);
  await screen.findByRole('textbox', { name: 'Card number' });
  expect(sent).toEqual([]);
});

it.each(['email', 'payment_type'])(
  'says why an attempt was refused when the form has no field for it: %s',
  async (field) => {
    const { user } = openPayment({
      payment: { problem },
      instead: refuse('post', '/order/pay', 422, {
        message: 'Not so',
        errors: { [field]: ['Not so'] },
      }),
    });
    await user.click(await screen.findByRole('button', { name: /^Try again or with another/ }));
    await screen.findByText('Not so');
  },
);

it('loads the sheet of Google Pay again when its script was lost', async () => {
  let isLost = true;
  vi.spyOn(document.head, 'append').mockImplementation((added) => {
    const script = added as HTMLScriptElement;
    queueMicrotask(() =>
      isLost ? script.onerror?.(new Event('error')) : script.onload?.(new Event('load')),
    );
  });
  class PaymentsClient {
    isReadyToPay = async () => ({ result: true });
    loadPaymentData = async () => ({ paymentMethodData: { tokenizationData: { token: 'token' } } });
  }
  window.google = { payments: { api: { PaymentsClient } } };
  const { user } = openPayment({
    payment: { payment_type: makePaymentType('google_pay') },
    settings: { gateway: 'bank' },
  });
  const again = await screen.findByRole('button', { name: 'Try again' });
  isLost = false;
  await user.click(again);
  await screen.findByRole('button', { name: 'Pay €25 with Google Pay' });
});
