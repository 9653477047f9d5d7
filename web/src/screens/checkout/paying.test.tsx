import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Schema } from '@/api/types';
import { readUnpaidOrder, writeUnpaidOrder } from '@/entities/payment-state/unpaid-order';
import { setPlace } from '@/entities/place/place';
import { makeCity, makePageData, makeSite } from '@/testing/fixtures';
import { makeReadyCart, makeTimes } from '@/testing/orders';
import { makePayment } from '@/testing/payments';
import { renderInCity } from '@/testing/render';
import { answer, refuse, server } from '@/testing/server';
import { makeUser } from '@/testing/users';
import { CheckoutPage } from './checkout-page';

const berlin = makeCity();
const cart = makeReadyCart();
const types: Schema<'PaymentType'>[] = [
  { alias: 'card_online', name: 'Card online', is_online: true },
  { alias: 'apple_pay', name: 'Apple Pay', is_online: true },
  { alias: 'cash', name: 'Cash', is_online: false },
];
const waiting: Schema<'OrderCreated'> = {
  order_id: 12345678,
  payment_type: 'card_online',
  status: 'waiting_for_payment',
  pay_until: '2099-11-21T18:10:00Z',
  link: 'secret',
};

/**
 * Opens a step of the checkout (by default the second) with all fields filled in; returns the bodies sent to
 * order/create.
 */
async function openStep(
  city: Schema<'City'> = berlin,
  path = '/berlin/cart?step=2',
  site = makeSite(),
) {
  const sent: Schema<'OrderCreate'>[] = [];
  const contact = { username: 'Anna', phone: '+49 301 23456789', maskId: 1 };
  localStorage.setItem('contact', JSON.stringify({ value: contact, until: 1e15 }));
  setPlace(city.id, { orderType: 'delivery', address: cart.delivery_address });
  server.use(
    answer('put', '/cart', () => ({ cart })),
    answer('get', '/products', () => ({ product_groups: [], popular_products: [] })),
    answer('post', '/products/get-related-products', () => ({ products: [] })),
    answer('post', '/schedule/intervals', () => makeTimes()),
    answer('post', '/user/payment-types', () => ({ payment_types: types })),
    answer('post', '/order/create-order-cache', () => ({
      order_cache_key: 'key-1',
      created_at: '2026-11-21T18:00:00Z',
      expires_at: '2026-11-21T18:10:00Z',
      is_time_held: true,
    })),
    answer('post', '/order/create', async ({ request }) => {
      sent.push((await request.json()) as Schema<'OrderCreate'>);
      return waiting;
    }),
  );
  const page = renderInCity(<CheckoutPage />, {
    data: makePageData({ city, path, site }),
  });
  await screen.findByRole('radio', { name: 'Card online' });
  const room = screen.getByRole('textbox', { name: /Apartment/ });
  await page.user.click(room);
  await page.user.paste('12');
  return { ...page, sent };
}

const orderButton = () =>
  screen.getByRole('button', { name: /Order with obligation to pay|Place the order/ });

describe('paying online', () => {
  const goTo = vi.fn();
  beforeEach(() => {
    sessionStorage.clear();
    vi.spyOn(location, 'assign').mockImplementation(goTo);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    goTo.mockReset();
    Reflect.deleteProperty(window, 'ApplePaySession');
  });

  it('leads to the payment by a load of the page, and keeps the cart and what was typed', async () => {
    const { user, places } = await openStep();
    await user.click(orderButton());
    await waitFor(() => expect(goTo).toHaveBeenCalledWith('/berlin/order/payment/key-1'));
    expect(places).toEqual(['/berlin/cart?step=2']);
    expect(readUnpaidOrder()).toMatchObject({ orderId: 12345678, key: 'key-1' });
    expect(sessionStorage.getItem('checkout.1')).toContain('"room":"12"');
    expect(screen.getAllByText('Philadelphia').length).toBeGreaterThan(0);
  });

  it('offers first what the server offers first, then what the last order was paid by', async () => {
    const first = await openStep();
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Card online' }).checked).toBe(true);
    await first.user.click(screen.getByRole('radio', { name: 'Cash' }));
    server.use(
      answer('post', '/order/create', () => ({
        ...waiting,
        payment_type: 'cash' as const,
        status: 'accepted' as const,
      })),
    );
    await first.user.click(orderButton());
    await waitFor(() => expect(first.places).toContain('/berlin/order/12345678/tracking'));
    first.unmount();
    await openStep();
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Cash' }).checked).toBe(true);
  });

  it('offers to load the ways to pay again when they did not come', async () => {
    const { user, unmount } = await openStep();
    unmount();
    let isDown = true;
    server.use(
      http.post('*/api/user/payment-types', () =>
        isDown
          ? new HttpResponse(null, { status: 502 })
          : HttpResponse.json({ payment_types: types }),
      ),
    );
    renderInCity(<CheckoutPage />, {
      data: makePageData({ city: berlin, path: '/berlin/cart?step=2' }),
    });
    await screen.findByText('Something went wrong. Try again.');
    expect(screen.queryByRole('radio', { name: 'Cash' })).toBeNull();
    isDown = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('radio', { name: 'Cash' });
    expect(screen.queryByText('Something went wrong. Try again.')).toBeNull();
  });

  it('shows Apple Pay only where there is one', async () => {
    const first = await openStep();
    expect(screen.queryByRole('radio', { name: 'Apple Pay' })).toBeNull();
    first.unmount();
    sessionStorage.clear();
    Object.assign(window, { ApplePaySession: class {} });
    await openStep();
    expect(screen.getByRole('radio', { name: 'Apple Pay' })).toBeTruthy();
  });

  it('says on the German button nothing but the words of the law, also when it is paid online', async () => {
    await openStep();
    expect(orderButton().textContent).toBe('Order with obligation to pay');
    expect(screen.getByText('including VAT')).toBeTruthy();
  });

  it('shows a live form again when Back brings the page as it was left', async () => {
    const { user, sent } = await openStep();
    await user.click(orderButton());
    await waitFor(() => expect(goTo).toHaveBeenCalled());
    server.use(
      answer('get', '/order-payment/{order_cache_key}', () => ({ payment: makePayment() })),
    );
    act(() => void dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })));
    expect(
      await screen.findByText('Order no. 12345678 is waiting for payment until 19:10'),
    ).toBeTruthy();
    const link = screen.getByRole('link', { name: 'Pay for this order' });
    expect(link.getAttribute('href')).toBe('/berlin/order/payment/key-1');
    await user.click(orderButton());
    await waitFor(() => expect(sent).toHaveLength(2));
  });

  it.each(['/berlin/cart', '/berlin/cart?step=2'])(
    'says before anything else on %s that an order waits, and what ordering again does to it',
    async (path) => {
      writeUnpaidOrder({ orderId: 12345678, cityId: 1, cityAlias: 'berlin', key: 'key-1' });
      server.use(
        answer('get', '/order-payment/{order_cache_key}', () => ({ payment: makePayment() })),
      );
      await openStep(berlin, path);
      const said = await screen.findByText(
        'If you order again, this order is canceled: you pay only once.',
      );
      const summary = screen.getByRole('complementary', { name: 'Your order' });
      for (const below of [summary, screen.getByRole('textbox', { name: /Apartment/ })]) {
        expect(said.compareDocumentPosition(below)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
      }
      expect(said.closest('.hidden')).toBeNull();
    },
  );

  it('does not ask to pay an order that the bank is still asked about', async () => {
    writeUnpaidOrder({ orderId: 12345678, cityId: 1, cityAlias: 'berlin', key: 'key-1' });
    server.use(
      answer('get', '/order-payment/{order_cache_key}', () => ({
        payment: makePayment({ state: 'checking' }),
      })),
    );
    await openStep();
    await screen.findByText('We are asking the bank whether order no. 12345678 is paid');
    expect(screen.getByRole('link', { name: 'Check the payment' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Pay for this order' })).toBeNull();
  });

  it.each(['paid', 'canceled'] as const)('says nothing of an order that is %s', async (state) => {
    writeUnpaidOrder({ orderId: 12345678, cityId: 1, cityAlias: 'berlin', key: 'key-1' });
    const status = state === 'paid' ? 'accepted' : 'canceled';
    server.use(
      answer('get', '/order-payment/{order_cache_key}', () => ({
        payment: makePayment({ state, status }),
      })),
    );
    await openStep();
    await waitFor(() => expect(readUnpaidOrder()?.isOver).toBe(true));
    expect(screen.queryByText(/waiting for payment/)).toBeNull();
  });

  it('begins the checkout again when the answer was lost, and orders once', async () => {
    const { user, sent } = await openStep();
    const lose = vi.fn(() => HttpResponse.error());
    server.use(http.post('*/api/order/create-order-cache', lose, { once: true }));
    await user.click(orderButton());
    await waitFor(() => expect(sent).toHaveLength(1), { timeout: 5000 });
    expect(lose).toHaveBeenCalledOnce();
  });

  it('leads to the order that turns out to be paid already', async () => {
    const { user, places } = await openStep();
    const message = 'Order 7 is paid already';
    server.use(refuse('post', '/order/create-order-cache', 409, { message, order_id: 7 }));
    await user.click(orderButton());
    await waitFor(() => expect(places).toContain('/berlin/order/7/tracking'));
    expect(screen.getByText(message)).toBeTruthy();
  });
});

describe('the e-mail for the receipt', () => {
  const izmir = makeCity({ email_required_for: ['card_online'] });
  beforeEach(() => {
    sessionStorage.clear();
    vi.spyOn(location, 'assign').mockImplementation(() => undefined);
  });
  afterEach(() => vi.restoreAllMocks());

  it('is asked for with a way to pay that needs it', async () => {
    const { user, sent } = await openStep(izmir);
    await user.click(orderButton());
    const field = await screen.findByLabelText(/E-mail for the receipt/);
    await waitFor(() => expect(document.activeElement).toBe(field));
    expect(sent).toHaveLength(0);
    await user.type(field, 'anna@example.org');
    await user.click(orderButton());
    await waitFor(() => expect(sent[0]?.email).toBe('anna@example.org'));
  });

  it('is that of the profile until another is typed', async () => {
    const user = makeUser({ email: 'anna@example.org' });
    server.use(
      answer('get', '/user/check-session', () => ({ is_signed_in: true, user })),
      answer('get', '/user/get', () => ({ user })),
    );
    const { user: hand, sent } = await openStep(
      izmir,
      undefined,
      makeSite({ is_auth_enabled: true, notification_channels: ['sms'] }),
    );
    const field = await screen.findByLabelText<HTMLInputElement>(/E-mail for the receipt/);
    await waitFor(() => expect(field.value).toBe('anna@example.org'));
    await hand.clear(field);
    await hand.type(field, 'bills@example.org');
    await hand.click(orderButton());
    await waitFor(() => expect(sent[0]?.email).toBe('bills@example.org'));
  });

  it('is asked for with no other', async () => {
    const { user } = await openStep(izmir);
    await user.click(screen.getByRole('radio', { name: 'Cash' }));
    expect(screen.queryByLabelText(/E-mail for the receipt/)).toBeNull();
  });
});

describe('consents', () => {
  const asking = makeCity({
    order_consents: [
      { alias: 'data', text: 'I agree to the rules', url: '/privacy-policy', is_required: true },
      { alias: 'news', text: 'Write me about news', is_required: false },
    ],
  });
  beforeEach(() => {
    sessionStorage.clear();
    vi.spyOn(location, 'assign').mockImplementation(() => undefined);
  });
  afterEach(() => vi.restoreAllMocks());

  it('are unticked boxes, and a required one that is not ticked stops the order', async () => {
    const { user, sent } = await openStep(asking);
    const rules = screen.getByRole<HTMLInputElement>('checkbox', { name: 'I agree to the rules' });
    const news = screen.getByRole<HTMLInputElement>('checkbox', { name: /Write me about news/ });
    expect([rules.checked, news.checked]).toEqual([false, false]);
    await user.click(orderButton());
    expect(await screen.findByText('We cannot take the order without this')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(rules));
    expect(sent).toHaveLength(0);
    await user.click(rules);
    expect(screen.queryByText('We cannot take the order without this')).toBeNull();
    await user.click(orderButton());
    await waitFor(() => expect(sent[0]?.consents).toEqual(['data']));
  });

  it('that the city asks for since the page was loaded appear with the refusal', async () => {
    const { user, sent } = await openStep(makeCity());
    server.use(
      refuse('post', '/order/create', 422, {
        message: 'Check',
        errors: { consents: ['We cannot take the order without this'] },
      }),
      answer('get', '/cities/{alias}', () => ({ city: asking })),
    );
    await user.click(orderButton());
    const rules = await screen.findByRole('checkbox', { name: 'I agree to the rules' });
    await screen.findByText('We cannot take the order without this');
    await waitFor(() => expect(document.activeElement).toBe(rules));
    server.use(
      answer('post', '/order/create', async ({ request }) => {
        sent.push((await request.json()) as Schema<'OrderCreate'>);
        return waiting;
      }),
    );
    await user.click(rules);
    await user.click(orderButton());
    await waitFor(() => expect(sent[0]?.consents).toEqual(['data']));
  });

  it('open their document in a new tab', async () => {
    await openStep(asking);
    const link = screen.getByRole('link', { name: /Read it/ });
    expect(link.getAttribute('target')).toBe('_blank');
  });
});
