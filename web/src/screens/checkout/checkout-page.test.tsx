import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Schema } from '@/api/types';
import { setAvoided } from '@/entities/allergens/avoided';
import { setPlace } from '@/entities/place/place';
import { makePageData, makeSite } from '@/testing/fixtures';
import { makeAddress, makeInterval, makeReadyCart } from '@/testing/orders';
import { renderInCity } from '@/testing/render';
import { answer, refuse, server } from '@/testing/server';
import { CheckoutPage } from './checkout-page';
import {
  city,
  fillIn,
  guestData,
  openCheckout,
  orderButton,
  placed,
  times,
} from './checkout-page.fixture';

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

  it('says beside its button when the order comes, and promises that time', async () => {
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
    const room = await screen.findByRole('textbox', { name: /Apartment/ });
    await waitFor(() => expect(document.activeElement).toBe(room));
    expect(screen.getByText('Enter the apartment or office')).toBeTruthy();
    expect(screen.getByText('Tell us your name')).toBeTruthy();
    expect(sent).toHaveLength(0);
    await user.type(room, '1');
    expect(screen.queryByText('Enter the apartment or office')).toBeNull();
  });

  it('cannot be ordered before the soonest time is seen, which is chosen by itself', async () => {
    const soonest = makeInterval();
    let answerChoice = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answerChoice = resolve;
    });
    server.use(
      answer('put', '/cart/set-interval', async () => {
        await isAnswered;
        return { cart: makeReadyCart({ interval: soonest }) };
      }),
    );
    const { user, sent } = await openCheckout(makeReadyCart({ interval: undefined }), [soonest]);
    await fillIn(user);
    const waiting = screen.getByRole('button', { name: 'Choosing the time…' });
    await user.click(waiting);
    expect(screen.queryByText('Choose a time')).toBeNull();
    answerChoice();
    await user.click(await screen.findByRole('button', { name: /Order with obligation to pay/ }));
    await waitFor(() => expect(sent).toHaveLength(1));
  });

  it('asks for a time when none is chosen', async () => {
    const later = makeInterval({ id: '2026-11-21T18:00:00Z', title: '19:00–19:30', asap: false });
    const { user, sent } = await openCheckout(makeReadyCart({ interval: undefined }), [later]);
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

  it('shows at once that an order is being checked whose outcome was unknown when the page was left', async () => {
    const scrolledTo: string[] = [];
    vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function scroll(
      this: Element,
    ) {
      scrolledTo.push(this.textContent);
    });
    const pending = { order_cache_key: 'lost', city_id: 1, cart: { prices: { total: 25 } } };
    sessionStorage.setItem('order.pending.1', JSON.stringify(pending));
    await openCheckout();
    expect(scrolledTo.join()).toContain('Checking whether the order got through');
  });

  it('sends an order again whose outcome was unknown when the page was left', async () => {
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

  it('goes on from the dishes to the form', async () => {
    const data = makePageData({ city, path: '/berlin/cart' });
    const { user, places } = await openCheckout(undefined, undefined, data);
    await user.click(screen.getByRole('button', { name: /Check out/ }));
    await waitFor(() => expect(places.at(-1)).toBe('/berlin/cart?step=2'));
    const heading = screen.getByRole('heading', { level: 1, name: 'Checkout' });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    expect(screen.queryByRole('button', { name: /Check out/ })).toBeNull();
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
