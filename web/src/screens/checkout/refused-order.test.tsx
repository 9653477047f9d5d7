import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Schema } from '@/api/types';
import { clearAcknowledgements } from '@/entities/cart/acknowledged/store';
import { makeLine } from '@/testing/fixtures';
import { makeInterval, makePrices, makeReadyCart } from '@/testing/orders';
import { answer, refuse, server } from '@/testing/server';
import {
  fillIn,
  guestData,
  openCheckout,
  orderButton,
  placed,
  times,
} from './checkout-page.fixture';

beforeEach(() => sessionStorage.clear());

/** Refuses the next order, and no later one, because of its time; `cart` is what the server has by then. */
const refuseTimeOnce = (message: string, cart: Schema<'Cart'>) =>
  http.post(
    '*/api/order/create',
    () => HttpResponse.json({ message, errors: { interval_id: [message] }, cart }, { status: 409 }),
    { once: true },
  );

describe('an order that is refused', () => {
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

  it('leads to the menu and says why when another tab has ordered the cart', async () => {
    const { user, places } = await openCheckout();
    await fillIn(user);
    const empty = makeReadyCart({ products: {}, count: 0, prices: makePrices({ total: 0 }) });
    server.use(
      answer('put', '/cart', () => ({ cart: empty })),
      refuse('post', '/order/create-order-cache', 409, {
        message: 'Your cart is empty',
        errors: { cart: ['Your cart is empty'] },
        cart: empty,
      }),
    );
    await user.click(orderButton());
    await waitFor(() => expect(places.at(-1)).toBe('/berlin'));
    expect(await screen.findByText('Your cart is empty')).toBeDefined();
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
    server.use(
      answer('post', '/schedule/intervals', () => ({ ...times, intervals: [next] })),
      answer('put', '/cart/set-interval', async ({ request }) => {
        const { interval } = (await request.json()) as { interval: string };
        chosenNow.push(interval);
        return { cart: makeReadyCart({ interval: interval === 'b' ? next : undefined }) };
      }),
      refuseTimeOnce('This time is taken', makeReadyCart({ interval: undefined })),
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

  it('asks to agree to a handover that is later than shown', async () => {
    const { user, sent, places } = await openCheckout();
    await fillIn(user);
    const later = makeInterval({ end_timestamp: makeInterval().end_timestamp + 1200 });
    const message = 'We cannot make it by 19:40 any more, only by 20:00';
    server.use(
      answer('post', '/schedule/intervals', () => ({ ...times, intervals: [later] })),
      refuseTimeOnce(message, makeReadyCart({ interval: later })),
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
    await first.client.cancelQueries();
    clearAcknowledgements();
    const dearer = makeReadyCart({
      products: { philadelphia: makeLine({ count: 2, price_with_modifiers: 14, total: 28 }) },
      prices: makePrices({ subtotal: 28, total: 28 }),
    });
    const { user } = await openCheckout(dearer);
    await user.click(await screen.findByRole('button', { name: /See what has changed/ }));
    await waitFor(() =>
      expect(document.activeElement?.textContent).toContain('Philadelphia: €12.50 → €14'),
    );
    await user.click(screen.getByRole('button', { name: 'OK, got it' }));
    expect(await screen.findByRole('button', { name: /Order with obligation/ })).toBeTruthy();
  });
});

describe('an order that is refused after the checkout was left', () => {
  it.each([
    [
      'fields',
      422,
      { message: '', errors: { phone: ['The phone is wrong'] } },
      'The phone is wrong',
    ],
    ['a changed cart', 409, { message: 'The total has changed' }, 'The total has changed'],
    ['nothing in the form', 403, { message: 'We are closed' }, 'We are closed'],
  ])('because of %s is shown there, with a way back', async (_, status, answered, reason) => {
    const { user, places } = await openCheckout(undefined, undefined, guestData, true);
    await fillIn(user);
    let refuseNow = () => {};
    const asked = new Promise<void>((resolve) => {
      refuseNow = resolve;
    });
    server.use(
      http.post('*/api/order/create', async () => {
        await asked;
        return HttpResponse.json(answered, { status });
      }),
    );
    await user.click(orderButton());
    // To the menu: the layout is the desktop's here.
    await user.click(screen.getByRole('link', { name: /Back to/ }));
    expect(screen.queryByRole('radio', { name: 'Cash' })).toBeNull();
    refuseNow();
    await screen.findByText(`The order was not placed. ${reason}`);
    await user.click(screen.getByRole('button', { name: 'Back to the checkout' }));
    expect(places.at(-1)).toBe('/berlin/cart?step=2');
  });
});
