import { act } from '@testing-library/react';
import type { RequestHandler } from 'msw';
import { Route } from 'wouter';
import { keys } from '@/api/keys';
import type { Schema } from '@/api/types';
import { makeCart, makeLine, makePageData } from '@/testing/fixtures';
import { makeNext, makePayment, makePaymentSettings, makePaymentType } from '@/testing/payments';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
import { PaymentPage } from './payment-page';

type Payment = Schema<'OrderPayment'>;
type Sent = { key: string | null; body: Schema<'OrderPay'> };

export const path = '/berlin/order/payment/key-1';
export const bank = 'https://bank.example/pay/1';

export interface Given {
  payment?: Partial<Payment>;
  settings?: Partial<Schema<'PaymentSettings'>>;
  search?: string;
  /** The answer to order/pay; by default it leads to the bank's page. */
  next?: Schema<'PaymentNext'>;
  /** The lines of the cart. */
  lines?: Schema<'CartProduct'>[];
  /** The payment types at the checkout. */
  offered?: Schema<'PaymentTypeAlias'>[];
  /** A handler that overrides one of the usual ones. */
  instead?: RequestHandler;
}

/**
 * Renders the payment page of an order. Returns the page, the sent requests, and `now`, whose payment the server
 * answers and a test may change.
 */
export function openPayment({
  payment,
  settings,
  search = '',
  next,
  lines,
  offered = [],
  instead,
}: Given = {}) {
  const now = { payment: makePayment(payment) };
  const sent: Sent[] = [];
  server.use(
    answer('get', '/order-payment/{order_cache_key}', () => ({ payment: now.payment })),
    answer('put', '/cart', () => ({ cart: makeCart(lines ?? [makeLine()]) })),
    answer('post', '/user/payment-types', () => ({ payment_types: offered.map(makePaymentType) })),
    answer('post', '/order/payment-settings', () => makePaymentSettings(settings)),
    answer('post', '/order/pay', async ({ request }) => {
      sent.push({
        key: request.headers.get('Idempotency-Key'),
        body: (await request.json()) as Schema<'OrderPay'>,
      });
      const answered = next ?? makeNext('approved-new', { form_url: bank });
      const isWaitedFor = answered.reason === 'sbp-mobile' || answered.reason === 'push';
      if (isWaitedFor) now.payment = { ...now.payment, state: 'pending', next: answered };
      if (answered.reason === 'checking') now.payment = { ...now.payment, state: 'checking' };
      return answered;
    }),
  );
  if (instead) server.use(instead);
  const page = renderInCity(
    <Route path="/:city/order/payment/:key">
      <PaymentPage />
    </Route>,
    { data: makePageData({ path: path + search }) },
  );
  /** Changes the payment on the server, and makes the page load it again. */
  const changePayment = async (news: Partial<Payment>) => {
    now.payment = { ...now.payment, ...news };
    await act(() => page.client.invalidateQueries({ queryKey: keys.orderPayment('key-1') }));
  };
  return { ...page, sent, changePayment, now };
}

export const problem = {
  reason: 'insufficient_funds' as const,
  message: 'Not enough money on the card. Take another card.',
};
