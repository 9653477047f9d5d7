import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Schema } from '@/api/types';
import { setAvoided } from '@/entities/allergens/avoided';
import { clearAcknowledgements } from '@/entities/cart/acknowledged/store';
import { setPlace } from '@/entities/place/place';
import { makeCity, makeLine, makePageData, makeSite } from '@/testing/fixtures';
import { makeAddress, makeInterval, makePrices, makeReadyCart, makeTimes } from '@/testing/orders';
import { renderInCity } from '@/testing/render';
import { answer, refuse, server } from '@/testing/server';
import { CheckoutPage } from './checkout-page';

const city = makeCity({ banknotes: [20, 50, 100] });
const guestData = makePageData({ city, path: '/berlin/cart?step=2' });
const placed = {
  order_id: 12345678,
  payment_type: 'cash',
  status: 'accepted',
  link: 'secret',
} as const;
const times = makeTimes();

const deadline = {
  order_cache_key: 'key-1',
  created_at: '2026-11-21T18:00:00Z',
  expires_at: '2026-11-21T18:10:00Z',
  is_time_held: true,
};

const paymentTypes: Schema<'PaymentType'>[] = [
  { alias: 'cash', name: 'Cash', is_online: false },
  { alias: 'card', name: 'Card to the courier', is_online: false },
];

/** Opens the second step with a cart; answers what is sent to order/create. */
async function openCheckout(
  cart: Schema<'Cart'> = makeReadyCart(),
  intervals = [makeInterval()],
  data: Schema<'PageData'> = guestData,
) {
  const sent: Schema<'OrderCreate'>[] = [];
  setPlace(city.id, { orderType: 'delivery', address: cart.delivery_address });
  server.use(
    answer('put', '/cart', () => ({ cart })),
    answer('get', '/products', () => ({ product_groups: [], popular_products: [] })),
    answer('post', '/products/get-related-products', () => ({ products: [] })),
    answer('post', '/schedule/intervals', () => ({ ...times, intervals })),
    answer('post', '/user/payment-types', () => ({ payment_types: paymentTypes })),
    answer('post', '/order/create-order-cache', () => deadline),
    answer('post', '/order/create', async ({ request }) => {
      sent.push((await request.json()) as Schema<'OrderCreate'>);
      return placed;
    }),
  );
  const page = renderInCity(<CheckoutPage />, { data });
  await screen.findByRole('radio', { name: 'Cash' });
  return { ...page, sent };
}

const orderButton = () => screen.getByRole('button', { name: /Order with obligation to pay/ });

async function fillIn(user: Awaited<ReturnType<typeof openCheckout>>['user']) {
  const fields = { Apartment: '12', 'Your name': 'Anna', Phone: '30123456789' };
  for (const [label, text] of Object.entries(fields)) {
    await user.click(screen.getByLabelText(new RegExp(label)));
    await user.paste(text);
  }
}

beforeEach(() => sessionStorage.clear());

describe('checkout', () => {
  it('sends what was filled in, with the total that was seen', async () => {
    const { user, sent, places } = await openCheckout();
    await fillIn(user);
    await user.click(orderButton());
    await waitFor(() => expect(places).toContain('/berlin/order/12345678/tracking'));
    expect(sent).toEqual([
      expect.objectContaining({
        order_cache_key: 'key-1',
        username: 'Anna',
        phone: '4930123456789',
        payment_type: 'cash',
        interval_id: 'asap',
        cart: { fingerprint: 'seen', prices: { total: 25 } },
        delivery_address: expect.objectContaining({ id: 7, room: '12' }),
      }),
    ]);
  });

  it('sends once however often the button is pressed', async () => {
    const { user, sent, places } = await openCheckout();
    await fillIn(user);
    await user.dblClick(orderButton());
    await waitFor(() => expect(places).toContain('/berlin/order/12345678/tracking'));
    expect(sent).toHaveLength(1);
  });

  it('asks a guest who orders much for the captcha, and sends its token once', async () => {
    const site = makeSite({ captcha: { provider: 'turnstile', site_key: 'key', always: false } });
    const data = makePageData({ city, site, path: '/berlin/cart?step=2' });
    const { user, places } = await openCheckout(undefined, undefined, data);
    let solve: ((token: string) => void) | undefined;
    window.turnstile = {
      render: (_, options) => {
        solve = options.callback as typeof solve;
        return 'id';
      },
      remove: () => undefined,
    };
    const append = vi
      .spyOn(document.head, 'append')
      .mockImplementation(() => window.onCaptchaReady?.());
    const tokens: (string | undefined)[] = [];
    server.use(
      http.post('*/api/order/create', async ({ request }) => {
        const { captcha_user_token: token } = (await request.json()) as Schema<'OrderCreate'>;
        tokens.push(token);
        if (token) return HttpResponse.json(placed);
        const errors = { captcha_user_token: ['Show that you are no robot'] };
        return HttpResponse.json({ message: 'Captcha', errors }, { status: 422 });
      }),
    );
    await fillIn(user);
    await user.click(orderButton());
    await screen.findByText('Show that you are no robot');
    await waitFor(() => expect(solve).toBeDefined());
    act(() => solve?.('token'));
    await user.click(orderButton());
    await waitFor(() => expect(places).toContain('/berlin/order/12345678/tracking'));
    expect(tokens).toEqual([undefined, 'token']);
    append.mockRestore();
  });

  it('does not order when Enter is pressed in a field', async () => {
    const { user, sent } = await openCheckout();
    await fillIn(user);
    await user.type(screen.getByLabelText(/Your name/), '{Enter}{Enter}');
    expect(sent).toHaveLength(0);
  });

  it('says at its button when the order comes, and promises just that', async () => {
    const tomorrow = makeInterval({
      id: 'slot',
      title: '09:00–09:30',
      asap: false,
      is_today: false,
      is_tomorrow: true,
    });
    const { user, sent } = await openCheckout(makeReadyCart({ interval: tomorrow }), [tomorrow]);
    await screen.findByText('Delivery: tomorrow, 09:00–09:30');
    await fillIn(user);
    await user.click(orderButton());
    const promised = new Date(tomorrow.end_timestamp * 1000).toISOString();
    await waitFor(() => expect(sent.map(({ promised_to: end }) => end)).toEqual([promised]));
  });

  it('names what is missing and moves the focus to the first of it', async () => {
    const { user, sent } = await openCheckout();
    await user.click(orderButton());
    const room = await screen.findByLabelText(/Apartment/);
    await waitFor(() => expect(document.activeElement).toBe(room));
    expect(screen.getByText('Enter the apartment or office')).toBeTruthy();
    expect(screen.getByText('Tell us your name')).toBeTruthy();
    expect(sent).toHaveLength(0);
    await user.type(room, '1');
    expect(screen.queryByText('Enter the apartment or office')).toBeNull();
  });

  it('asks for a time when none is chosen', async () => {
    const later = makeInterval({ id: '2026-11-21T18:00:00Z', title: '19:00–19:30', asap: false });
    server.use(answer('post', '/schedule/intervals', () => ({ ...times, intervals: [later] })));
    const { user, sent } = await openCheckout(makeReadyCart({ interval: undefined }));
    await fillIn(user);
    await user.click(orderButton());
    const problem = await screen.findByText('Choose a time');
    await waitFor(() => expect(document.activeElement).toBe(problem));
    expect(sent).toHaveLength(0);
  });

  it('shows what the server finds wrong at its field and keeps the rest', async () => {
    const { user } = await openCheckout();
    await fillIn(user);
    const problem = { message: 'Check the details', errors: { phone: ['This is no mobile'] } };
    server.use(refuse('post', '/order/create', 422, problem));
    await user.click(orderButton());
    expect(await screen.findByText('This is no mobile')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/Phone/)));
    expect(screen.getByLabelText<HTMLInputElement>(/Your name/).value).toBe('Anna');
  });

  it('shows a changed price and total and asks again', async () => {
    const { user, sent, places } = await openCheckout();
    await fillIn(user);
    const dearer = makeReadyCart({
      products: {
        philadelphia: makeLine({ count: 2, price_with_modifiers: 15, price: 15, total: 30 }),
      },
      prices: makePrices({ subtotal: 30, total: 30 }),
    });
    let isFirst = true;
    server.use(
      http.post('*/api/order/create', async ({ request }) => {
        sent.push((await request.json()) as Schema<'OrderCreate'>);
        if (!isFirst) return HttpResponse.json(placed);
        isFirst = false;
        return HttpResponse.json(
          { message: 'The total has changed', cart: dearer },
          { status: 409 },
        );
      }),
    );
    await user.click(orderButton());
    const notice = (await screen.findByText('The total has changed')).closest('[role="alert"]');
    expect(notice?.textContent).toContain('Philadelphia: €12.50 → €15');
    expect(notice?.textContent).toContain('Total: €25 → €30');
    await waitFor(() => expect(document.activeElement).toBe(notice));
    expect(screen.queryByRole('button', { name: /Order with obligation/ })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'OK, got it' }));
    await user.click(orderButton());
    await waitFor(() => expect(places).toContain('/berlin/order/12345678/tracking'));
    expect(sent.map((order) => order.cart.prices.total)).toEqual([25, 30]);
  });

  it('orders with the fingerprint of the cart that was on the screen', async () => {
    const { user, sent } = await openCheckout(makeReadyCart({ fingerprint: 'f-17' }));
    await fillIn(user);
    await user.click(orderButton());
    await waitFor(() => expect(sent[0]?.cart.fingerprint).toBe('f-17'));
  });

  it('says which lines an order was refused for, those of another tab too', async () => {
    const { user } = await openCheckout();
    await fillIn(user);
    const roll = makeLine({ key: 'california', name: 'California', total: 10 });
    const fresh = makeReadyCart({
      products: { philadelphia: makeLine(), california: roll },
      prices: makePrices({ subtotal: 22.5, total: 22.5 }),
    });
    server.use(refuse('post', '/order/create', 409, { message: 'Have a look', cart: fresh }));
    await user.click(orderButton());
    const notice = (await screen.findByText('Have a look')).closest('[role="alert"]');
    expect(notice?.textContent).toContain('Philadelphia: 2 pcs → 1 pcs');
    expect(notice?.textContent).toContain('California: 0 pcs → 1 pcs');
    expect(notice?.textContent).toContain('Total: €25 → €22.50');
  });

  it('offers the nearest time when the chosen one was taken at the last moment', async () => {
    const chosen = makeInterval({ id: 'a', title: '19:30–20:00', asap: false });
    const next = makeInterval({ id: 'b', title: '20:00–20:30', asap: false });
    const { user, sent, places } = await openCheckout(makeReadyCart({ interval: chosen }), [
      chosen,
      next,
    ]);
    await fillIn(user);
    const chosenNow: string[] = [];
    const message = 'This time is taken';
    server.use(
      answer('post', '/schedule/intervals', () => ({ ...times, intervals: [next] })),
      answer('put', '/cart/set-interval', async ({ request }) => {
        const { interval } = (await request.json()) as { interval: string };
        chosenNow.push(interval);
        return { cart: makeReadyCart({ interval: interval === 'b' ? next : undefined }) };
      }),
      http.post(
        '*/api/order/create',
        () =>
          HttpResponse.json(
            {
              message,
              errors: { interval_id: [message] },
              cart: makeReadyCart({ interval: undefined }),
            },
            { status: 409 },
          ),
        { once: true },
      ),
    );
    await user.click(orderButton());
    await screen.findByText('19:30–20:00 is no longer available. Nearest time: 20:00–20:30');
    expect(chosenNow).not.toContain('b');
    await user.click(screen.getByRole('button', { name: 'Take 20:00–20:30' }));
    await waitFor(() => expect(chosenNow).toContain('b'));
    await user.click(await screen.findByRole('button', { name: /Order with obligation/ }));
    await waitFor(() => expect(places).toContain('/berlin/order/12345678/tracking'));
    expect(sent.map(({ interval_id: id }) => id)).toEqual(['b']);
  });

  it('asks to agree to a handover that is later than it was said to be', async () => {
    const { user, sent, places } = await openCheckout();
    await fillIn(user);
    const later = makeInterval({ end_timestamp: makeInterval().end_timestamp + 1200 });
    const message = 'We cannot make it by 19:40 any more, only by 20:00';
    server.use(
      answer('post', '/schedule/intervals', () => ({ ...times, intervals: [later] })),
      http.post(
        '*/api/order/create',
        () =>
          HttpResponse.json(
            {
              message,
              errors: { interval_id: [message] },
              cart: makeReadyCart({ interval: later }),
            },
            { status: 409 },
          ),
        { once: true },
      ),
    );
    await user.click(orderButton());
    await screen.findByText(message);
    expect(screen.queryByText(/no longer available/)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'OK, got it' }));
    await user.click(orderButton());
    await waitFor(() => expect(places).toContain('/berlin/order/12345678/tracking'));
    const promised = new Date(later.end_timestamp * 1000).toISOString();
    expect(sent.map(({ promised_to: end }) => end)).toEqual([promised]);
  });

  it('waits for a tap when a price is not the one of the last visit, and leads there', async () => {
    const first = await openCheckout();
    await screen.findByRole('button', { name: /Order with obligation/ });
    first.unmount();
    clearAcknowledgements();
    const dearer = makeReadyCart({
      products: { philadelphia: makeLine({ count: 2, price_with_modifiers: 14, total: 28 }) },
      prices: makePrices({ subtotal: 28, total: 28 }),
    });
    const { user } = await openCheckout(dearer);
    await user.click(await screen.findByRole('button', { name: /See what has changed/ }));
    expect(document.activeElement?.textContent).toContain('Philadelphia: €12.50 → €14');
    await user.click(screen.getByRole('button', { name: 'OK, got it' }));
    expect(orderButton()).toBeTruthy();
  });

  it('sends the kitchen what the customer does not eat', async () => {
    setAvoided(['fish']);
    const { user, sent } = await openCheckout();
    await fillIn(user);
    await user.click(orderButton());
    await waitFor(() => expect(sent[0]?.allergens).toEqual(['fish']));
    setAvoided([]);
  });

  it('applies a promocode with Enter and does not order', async () => {
    const { user, sent } = await openCheckout();
    await fillIn(user);
    const promocode = { code: 'WOK', is_active: true, text: '10% off' };
    server.use(
      answer('put', '/cart/gift/apply-promocode', () => ({ cart: makeReadyCart({ promocode }) })),
    );
    await user.type(screen.getByLabelText('Promo code'), 'wok{Enter}');
    expect(await screen.findByText('10% off')).toBeTruthy();
    expect(sent).toEqual([]);
  });

  it('asks for an order whose outcome was unknown when the page was left', async () => {
    const pending = { order_cache_key: 'lost', city_id: 1, cart: { prices: { total: 25 } } };
    sessionStorage.setItem('order.pending.1', JSON.stringify(pending));
    const { sent, places } = await openCheckout();
    await waitFor(() => expect(places).toContain('/berlin/order/12345678/tracking'));
    expect(sent).toEqual([pending]);
  });

  it('keeps what was typed over a reload', async () => {
    const first = await openCheckout();
    await fillIn(first.user);
    first.unmount();
    await openCheckout();
    expect(screen.getByText(/apt. 12/)).toBeTruthy();
    expect(screen.getByText('Anna, +49 301 23456789')).toBeTruthy();
  });

  it('remembers the contact after a placed order only', async () => {
    const { user, places } = await openCheckout();
    await fillIn(user);
    expect(localStorage.getItem('contact')).toBeNull();
    await user.click(orderButton());
    await waitFor(() => expect(places).toContain('/berlin/order/12345678/tracking'));
    expect(localStorage.getItem('contact')).toContain('Anna');
  });

  it('offers banknotes above the total for the change', async () => {
    const { user, sent } = await openCheckout();
    await fillIn(user);
    expect(screen.queryByRole('button', { name: '€20' })).toBeNull();
    await user.click(screen.getByRole('button', { name: '€50' }));
    await user.click(orderButton());
    await waitFor(() => expect(sent[0]).toMatchObject({ cash: 50 }));
  });

  it('says why the order cannot be placed below the minimum', async () => {
    const minimum = { kind: 'order', amount: 30, missing: 5 } as const;
    await openCheckout(makeReadyCart({ minimum }));
    const button = screen.getByRole('button', { name: /€5 more to order/ });
    expect(button).toHaveProperty('disabled', true);
    expect(screen.getByText('The minimum order for this address is €30.')).toBeTruthy();
  });

  it('goes back to the menu when the cart is empty', async () => {
    setPlace(city.id, { orderType: 'delivery', address: makeAddress() });
    const cart = makeReadyCart({ products: {}, count: 0 });
    server.use(
      answer('put', '/cart', () => ({ cart })),
      answer('get', '/products', () => ({ product_groups: [], popular_products: [] })),
      answer('post', '/schedule/intervals', () => times),
      answer('post', '/user/payment-types', () => ({ payment_types: [] })),
    );
    const { places } = renderInCity(<CheckoutPage />, { data: guestData });
    await waitFor(() => expect(places.at(-1)).toBe('/berlin'));
  });
});

describe('where customers sign in', () => {
  // The chunk of the dialog is loaded before the clock of a test runs.
  beforeAll(async () => {
    await import('@/screens/login/user-login-dialog');
  });
  const user = { id: 1, phone: '4930123456789', name: 'Anna' };
  const signedIn = answer('get', '/user/check-session', () => ({ is_signed_in: true, user }));
  const nobody = answer('get', '/user/check-session', () => ({ is_signed_in: false }));
  const open = (guestOrders: boolean) => {
    const site = makeSite({
      is_auth_enabled: true,
      guest_orders: guestOrders,
      notification_channels: ['sms'],
    });
    const data = makePageData({ city, site, path: '/berlin/cart?step=2' });
    return openCheckout(makeReadyCart(), [makeInterval()], data);
  };

  it('a customer orders by their own phone and name, without being asked', async () => {
    server.use(signedIn);
    const { user: hand, sent, places } = await open(false);
    await screen.findByText('+49 301 23456789');
    expect(screen.queryByLabelText(/Phone/)).toBeNull();
    await waitFor(() =>
      expect(screen.getByLabelText<HTMLInputElement>(/Your name/).value).toBe('Anna'),
    );
    await hand.type(screen.getByLabelText(/Apartment/), '12');
    await hand.click(orderButton());
    await waitFor(() => expect(places).toContain('/berlin/order/12345678/tracking'));
    expect(sent[0]).toMatchObject({ username: 'Anna' });
    expect(sent[0]).not.toHaveProperty('phone');
  });

  it('a stranger signs in before they order, and sees the sum before', async () => {
    server.use(nobody);
    const { user: hand, sent } = await open(false);
    expect(screen.queryByLabelText(/Phone/)).toBeNull();
    const [button] = screen.getAllByRole('button', { name: /Sign in and order/ });
    expect(button?.textContent).toContain('€25');
    if (button) await hand.click(button);
    await screen.findByRole('dialog', { name: 'Sign in' });
    expect(sent).toEqual([]);
  });

  it('a guest may order where guests may, and take their phone along to the sign-in', async () => {
    server.use(nobody);
    const { user: hand } = await open(true);
    await fillIn(hand);
    expect(orderButton()).toBeTruthy();
    await hand.click(screen.getByRole('button', { name: 'Sign in' }));
    const dialog = await screen.findByRole('dialog', { name: 'Sign in' });
    expect(dialog.querySelector('input')?.value).toBe('+49 301 23456789');
  });

  it('a session that has ended asks to sign in again and loses nothing', async () => {
    server.use(nobody);
    const { user: hand } = await open(true);
    await fillIn(hand);
    server.use(refuse('post', '/order/create', 401, { message: 'Sign in' }));
    await hand.click(orderButton());
    await screen.findByRole('dialog', { name: 'Sign in' });
    expect(screen.getByLabelText<HTMLInputElement>(/Your name/).value).toBe('Anna');
  });
});
