import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Schema } from '@/api/types';
import { readUnpaidOrder, writeUnpaidOrder } from '@/entities/payment-state/unpaid-order';
import { makeCity, makePageData } from '@/testing/fixtures';
import { makeReadyCart } from '@/testing/orders';
import { makePayment } from '@/testing/payments';
import { renderInCity } from '@/testing/render';
import { answer, refuse, server } from '@/testing/server';
import { BackToHomePage } from './back-to-home-page';
import { ReturnNotice } from './return-notice';

const known = { orderId: 12345678, cityId: 1, cityAlias: 'berlin', key: 'key-1' };

/** Fills the cart and answers with a payment; with `own` it also stores the order on the device. */
function preparePayment(own?: Partial<Schema<'OrderPayment'>>) {
  server.use(
    answer('put', '/cart', () => ({ cart: makeReadyCart() })),
    answer('get', '/order-payment/{order_cache_key}', () => ({ payment: makePayment(own) })),
  );
  if (own) writeUnpaidOrder(known);
}

const openPage = () =>
  renderInCity(<BackToHomePage />, {
    data: makePageData({ city: makeCity(), path: '/berlin/back-to-home' }),
  });

/** Returns the address of the link of that name, once it is shown. */
const linksTo = async (name: string) =>
  (await screen.findByRole('link', { name })).getAttribute('href');

describe('the page after a payment that failed', () => {
  it('says why and leads to another attempt while the order waits', async () => {
    const problem = { reason: 'bank_declined' as const, message: 'The bank said no.' };
    preparePayment({ problem });
    openPage();
    await screen.findByText(/The bank said no\. The order is waiting for payment until 19:10\./);
    expect(await linksTo('Try again')).toBe('/berlin/order/payment/key-1');
    expect(await linksTo('Back to the checkout')).toBe('/berlin/cart?step=2');
    expect(await linksTo('To the menu')).toBe('/berlin');
  });

  it.each(['waiting', 'pending'] as const)(
    'calls no payment failed that is %s, and leads to it',
    async (state) => {
      preparePayment({ state });
      openPage();
      await screen.findByRole('heading', { name: 'The payment was not finished' });
      screen.getByText('You can still pay: the order is waiting until 19:10.');
      expect(await linksTo('Go on to the payment')).toBe('/berlin/order/payment/key-1');
      expect(await linksTo('Back to the checkout')).toBe('/berlin/cart?step=2');
    },
  );

  it('leads back to the full cart when the time has run out', async () => {
    preparePayment({ state: 'canceled', status: 'canceled', pay_until: '2020-01-01T12:00:00Z' });
    openPage();
    await screen.findByRole('heading', { name: 'The time to pay has run out' });
    screen.getByText(/no money was taken/);
    expect(await linksTo('Back to the checkout')).toBe('/berlin/cart?step=2');
    expect(screen.queryByRole('link', { name: 'Try again' })).toBeNull();
  });

  it('does not call a payment failed that the bank has not confirmed', async () => {
    preparePayment({ state: 'checking' });
    openPage();
    await screen.findByRole('heading', { name: 'We are still asking the bank' });
    expect(screen.queryByRole('link', { name: 'Back to the checkout' })).toBeNull();
  });

  it('says so when the order turns out to be paid, and drops what was typed for it', async () => {
    sessionStorage.setItem('checkout.1', '{}');
    preparePayment({ state: 'paid', status: 'accepted' });
    openPage();
    await screen.findByRole('heading', { name: 'The order is paid' });
    expect(await linksTo('To the order')).toBe('/berlin/order/12345678/tracking');
    await waitFor(() => expect(sessionStorage.getItem('checkout.1')).toBeNull());
  });

  it.each([
    ['paid', 'The order is canceled', 'The order is canceled, and its money is not refunded.'],
    ['refunding', 'The money goes back to you', 'Of the €25 you paid, €10 is on its way back.'],
  ] as const)(
    'says what of a canceled order that is %s goes back',
    async (state, title, message) => {
      preparePayment({ state, status: 'canceled', message });
      openPage();
      await screen.findByRole('heading', { name: title });
      screen.getByText(message);
      expect(await linksTo('To the order')).toBe('/berlin/order/12345678/tracking');
    },
  );

  it('shows the same after a reload', async () => {
    preparePayment({ state: 'canceled', status: 'canceled' });
    openPage().unmount();
    openPage();
    await screen.findByRole('heading', { name: 'The order is canceled' });
  });

  it('works when no order is known', async () => {
    preparePayment();
    openPage();
    await screen.findByRole('heading', {
      name: 'We do not know yet whether the payment went through',
    });
    expect(await linksTo('To the menu')).toBe('/berlin');
  });

  it('forgets an order that is not of this visitor', async () => {
    preparePayment({});
    const gone = { message: 'There is no such order' };
    server.use(refuse('get', '/order-payment/{order_cache_key}', 404, gone));
    openPage();
    await screen.findByRole('heading', {
      name: 'We do not know yet whether the payment went through',
    });
    expect(readUnpaidOrder()).toBeUndefined();
  });
});

describe('home after a payment', () => {
  const before = location.href;
  beforeEach(() => history.replaceState(null, '', '/berlin?group=rolls&state=payment-success'));
  afterEach(() => history.replaceState(null, '', before));

  it('says how it ended by what the server says, and cleans the address', async () => {
    preparePayment({ state: 'paid', status: 'accepted' });
    const { user } = renderInCity(<ReturnNotice />);
    await screen.findByText('The order is paid');
    expect(await linksTo('To the order')).toBe('/berlin/order/12345678/tracking');
    expect(location.search).toBe('?group=rolls');
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByText('The order is paid')).toBeNull();
  });

  it('calls an order that still waits neither paid nor failed, and leads to the payment', async () => {
    preparePayment({ state: 'pending' });
    renderInCity(<ReturnNotice />);
    await screen.findByText('The payment was not finished');
    expect(await linksTo('Go on to the payment')).toBe('/berlin/order/payment/key-1');
  });

  it.each(['payment-success', 'payment-failure'])(
    'says nothing on a device that knows of no order, whatever the address says (%s)',
    async (state) => {
      history.replaceState(null, '', `/berlin?state=${state}`);
      preparePayment();
      const { container } = renderInCity(<ReturnNotice />);
      await waitFor(() => expect(container.querySelector('[role=status]')).not.toBeNull());
      expect(location.search).toBe('');
      expect(container.textContent).toBe('');
    },
  );

  it('says nothing of an order that is not of this visitor', async () => {
    preparePayment({});
    const gone = { message: 'There is no such order' };
    server.use(refuse('get', '/order-payment/{order_cache_key}', 404, gone));
    const { container } = renderInCity(<ReturnNotice />);
    await waitFor(() => expect(readUnpaidOrder()).toBeUndefined());
    expect(container.textContent).toBe('');
  });

  it('does not know how it ended when the server cannot be asked', async () => {
    preparePayment({});
    server.use(refuse('get', '/order-payment/{order_cache_key}', 422, { message: 'Not now' }));
    renderInCity(<ReturnNotice />);
    await screen.findByText('We do not know yet whether the payment went through');
    expect(screen.queryByText('The order is paid')).toBeNull();
  });

  it('says nothing when the address names none', async () => {
    history.replaceState(null, '', '/berlin');
    preparePayment({ state: 'waiting' });
    const { container } = renderInCity(<ReturnNotice />);
    expect(container.textContent).toBe('');
  });
});
