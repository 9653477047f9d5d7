import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from '@/api/client';
import type { Schema } from '@/api/types';
import { readLastOrder, writeLastOrder } from '@/entities/order/last-order';
import { writeInTab } from '@/lib/storage';
import { makeNext, makePayment, makePaymentType } from '@/testing/payments';
import { answer, refuse, server } from '@/testing/server';
import { bank, openPayment, problem } from './payment-page.fixture';

const leave = vi.fn();

beforeEach(() => {
  leave.mockReset();
  vi.spyOn(location, 'assign').mockImplementation(leave);
});
afterEach(() => vi.unstubAllGlobals());

describe('paying on the acquirer’s page', () => {
  it('leads there at once, and shows what is to be paid', async () => {
    const { sent } = openPayment();
    await waitFor(() => expect(leave).toHaveBeenCalledWith(bank));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('To pay: €25');
    expect(sent).toHaveLength(1);
    expect(sent[0]?.body).toMatchObject({
      order_id: 12345678,
      order_cache_key: 'key-1',
      payment_type: 'card_online',
    });
    screen.getByRole('button', { name: 'Continue to your bank' });
  });

  it('does not go where no bank can be', async () => {
    openPayment({ next: makeNext('approved-new', { form_url: 'http://bank.example' }) });
    await screen.findByText(/The bank’s page cannot be opened/);
    expect(leave).not.toHaveBeenCalled();
  });

  it('sends the same attempt again when its answer was lost by a reload', async () => {
    const body = { order_id: 12345678, order_cache_key: 'key-1', payment_type: 'card_online' };
    writeInTab('payment.key-1', { unanswered: { key: 'same', body } });
    const { sent } = openPayment();
    await waitFor(() => expect(leave).toHaveBeenCalledWith(bank));
    expect(sent).toEqual([{ key: 'same', body }]);
  });

  it('sends the same attempt until its answer arrives', async () => {
    const keys: (string | null)[] = [];
    openPayment({
      instead: http.post('*/api/order/pay', ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        return keys.length === 1
          ? HttpResponse.error()
          : HttpResponse.json(makeNext('approved-new', { form_url: bank }));
      }),
    });
    await screen.findByText(/You will not pay twice/);
    act(() => void dispatchEvent(new Event('online')));
    await waitFor(() => expect(leave).toHaveBeenCalledWith(bank));
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
  });

  it('does not lead to the bank again after coming back', async () => {
    const next = makeNext('approved-new', { form_url: bank });
    const { sent, changePayment } = openPayment({
      search: '?back=1',
      payment: { state: 'pending', next },
    });
    await screen.findByRole('heading', { name: 'We are asking the bank' });
    await changePayment({ state: 'paid', status: 'accepted', next: undefined });
    const heading = await screen.findByRole('heading', { name: /We have accepted your order/ });
    expect(document.activeElement).toBe(heading);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Paid: €25');
    expect(screen.getByRole('link', { name: 'Track the order' }).getAttribute('href')).toBe(
      '/berlin/order/12345678/tracking',
    );
    expect(sent).toEqual([]);
    expect(leave).not.toHaveBeenCalled();
  });

  it('stays where it is when the browser brings the page back as it was', async () => {
    const { user, sent } = openPayment();
    await waitFor(() => expect(leave).toHaveBeenCalledTimes(1));
    const shown = Object.assign(new Event('pageshow'), { persisted: true });
    act(() => void dispatchEvent(shown));
    await user.click(await screen.findByText('How paying works'));
    expect(sent).toHaveLength(1);
    expect(leave).toHaveBeenCalledTimes(1);
  });

  it('says why an attempt failed, and offers another one or another way to pay', async () => {
    const { user, sent } = openPayment({
      search: '?back=fail',
      payment: { problem, payment_types: [makePaymentType('sbp')] },
      offered: ['card_online', 'cash', 'card'],
    });
    await screen.findByText(problem.message);
    screen.getByRole('heading', { name: 'Pay another way' });
    screen.getByRole('button', { name: 'SBP' });
    const back = await screen.findByRole('link', { name: 'back to the checkout' });
    expect(back.getAttribute('href')).toBe('/berlin/cart?step=2');
    expect(back.parentElement?.textContent).toBe('Cash or card on receipt: back to the checkout');
    expect(sent).toEqual([]);
    await user.click(
      await screen.findByRole('button', { name: /^Try again or with another card/ }),
    );
    await waitFor(() => expect(leave).toHaveBeenCalledWith(bank));
  });

  it('names after a refusal only what can be paid with on receipt', async () => {
    openPayment({ payment: { problem }, offered: ['card_online', 'cash'] });
    const back = await screen.findByRole('link', { name: 'back to the checkout' });
    expect(back.parentElement?.textContent).toBe('Cash: back to the checkout');
  });

  it('leads back without naming any where everything is paid online', async () => {
    openPayment({ payment: { problem }, offered: ['card_online'] });
    await screen.findByRole('link', { name: 'Back to the checkout' });
    expect(screen.queryByText(/on receipt/)).toBeNull();
  });

  it('shows what was refused for certain', async () => {
    const problem = { message: 'No', errors: { payment: ['The bank said no'] } };
    openPayment({ instead: refuse('post', '/order/pay', 422, problem) });
    await screen.findByText('The bank said no');
    screen.getByRole('button', { name: /Try again/ });
  });
});

describe('another way to pay', () => {
  it('begins at once where nothing has to be filled in', async () => {
    const next = makeNext('sbp-mobile', { qr_code: 'https://qr.example/1' });
    const { user, sent } = openPayment({
      payment: { problem, payment_types: [makePaymentType('sbp')] },
      next,
    });
    await user.click(await screen.findByRole('button', { name: 'SBP' }));
    await screen.findByRole('img', { name: 'QR code for your bank’s app' });
    expect(sent[0]?.body.payment_type).toBe('sbp');
  });

  it('takes the focus with its form, and so does the first one that is chosen again', async () => {
    const ways = [makePaymentType('card_online'), makePaymentType('sberpay')];
    const { user } = openPayment({
      payment: { payment_types: ways },
      settings: { card_form: true },
    });
    await screen.findByRole('textbox', { name: /^Card number/ });
    expect(document.activeElement).toBe(document.body);
    await user.click(screen.getByRole('button', { name: 'SberPay' }));
    await screen.findByRole('button', { name: /^Send the request/ });
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'SberPay' }));
    await user.click(screen.getByRole('button', { name: 'Card online' }));
    await screen.findByRole('textbox', { name: /^Card number/ });
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Card online' }));
  });
});

describe('3-D Secure', () => {
  const framed = makeNext('3ds', {
    MD: 'md',
    PaReq: 'pareq',
    TermUrl: 'https://shop.example/api/order/3ds/try-1',
    AcsUrl: 'https://acs.example/',
    is_framed: true,
  });

  beforeEach(() => {
    vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(() => undefined);
  });

  const pending = { state: 'pending' as const, next: framed };

  it('is shown in a frame; the result is polled for when it is over', async () => {
    const { user, changePayment } = openPayment({ payment: pending });
    const asked: Schema<'Post3DS'>[] = [];
    server.use(
      answer('post', '/order/post3ds', async ({ request }) => {
        asked.push((await request.json()) as Schema<'Post3DS'>);
        return { payment: makePayment({ state: 'checking' }) };
      }),
    );
    await user.click(await screen.findByRole('button', { name: 'Confirm at your bank' }));
    await screen.findByTitle('Your bank');
    const data = { type: 'servery-3ds', transaction_id: 'try-1' };
    act(
      () =>
        void dispatchEvent(new MessageEvent('message', { origin: 'https://evil.example', data })),
    );
    screen.getByTitle('Your bank');
    act(() => void dispatchEvent(new MessageEvent('message', { origin: location.origin, data })));
    await screen.findByRole('heading', { name: 'We are asking the bank' });
    await waitFor(() => expect(asked).toHaveLength(1));
    expect(asked[0]).toMatchObject({ TransactionId: 'try-1', last_attempt: false });
    await changePayment({ state: 'paid' });
    await screen.findByRole('heading', { name: /We have accepted your order/ });
  });

  describe('by the clock', () => {
    const asked: Schema<'Post3DS'>[] = [];

    beforeEach(() => {
      asked.length = 0;
    });
    afterEach(() => vi.useRealTimers());

    /** Waits for answers of the network, during which the fake timers advance by some milliseconds. */
    const untilTrue = (check: () => void) =>
      act(() => vi.waitFor(check, { timeout: 8000, interval: 1 }));
    const advance = (time: number) => act(() => vi.advanceTimersByTimeAsync(time));
    const heading = () => screen.getByRole('heading', { level: 1 }).textContent;

    /**
     * Opens a payment, and its frame, with fake timers. The server knows no result; each of its answers has the
     * number of the poll as its total, which the page shows.
     */
    async function openFrame(next: Schema<'PaymentNext'>) {
      openPayment({ payment: { state: 'pending', next } });
      server.use(
        answer('post', '/order/post3ds', async ({ request }) => {
          asked.push((await request.json()) as Schema<'Post3DS'>);
          return { payment: makePayment({ state: 'checking', total: asked.length }) };
        }),
      );
      const button = await screen.findByRole('button', { name: 'Confirm at your bank' });
      // The network of the tests uses real timers: only those of the page are fake.
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      fireEvent.click(button);
      screen.getByTitle('Your bank');
    }

    it('its result is polled for three times, five seconds apart, and a last time', async () => {
      const post = vi.spyOn(api, 'POST');
      const countPolls = () => {
        const calls: readonly unknown[][] = post.mock.calls;
        return calls.filter(([path]) => path === '/order/post3ds').length;
      };
      await openFrame(framed);
      const data = { type: 'servery-3ds', transaction_id: 'try-1' };
      act(() => void dispatchEvent(new MessageEvent('message', { origin: location.origin, data })));
      for (const polls of [1, 2, 3]) {
        await untilTrue(() => expect(heading()).toBe(`To pay: €${polls}`));
        await advance(4900);
        expect(countPolls()).toBe(polls);
        await advance(100);
        expect(countPolls()).toBe(polls + 1);
      }
      // After the last answer the page reads the payment, whose total is the usual one.
      await untilTrue(() => expect(heading()).toBe('To pay: €25'));
      await advance(60_000);
      expect(countPolls()).toBe(4);
      post.mockRestore();
      expect(asked.map(({ last_attempt: isLast }) => isLast)).toEqual([false, false, false, true]);
    });

    it('the hidden frame of its second version is waited for five seconds at most', async () => {
      const threeDS = { threeDSMethodURL: 'https://acs.example/method', threeDSMethodData: 'data' };
      await openFrame(makeNext('3ds-v2', { threeDS, is_framed: true }));
      await advance(4999);
      screen.getByTitle('Your bank');
      await advance(1);
      screen.getByRole('heading', { name: 'We are asking the bank' });
      await untilTrue(() => expect(asked).toHaveLength(1));
      expect(asked[0]).toMatchObject({ TransactionId: 'try-1', method_done: false });
    });
  });

  it('that was closed can be resumed', async () => {
    const { user } = openPayment({ payment: pending });
    await user.click(await screen.findByRole('button', { name: 'Confirm at your bank' }));
    await user.click(await screen.findByRole('button', { name: 'Close' }));
    await screen.findByRole('heading', { name: 'Your bank is waiting for you to confirm' });
  });
});

describe('SberPay', () => {
  it('asks which phone, and says where to confirm', async () => {
    const { user, sent } = openPayment({
      payment: { payment_type: makePaymentType('sberpay'), phone: '79991234567' },
      next: makeNext('push'),
    });
    const phone = await screen.findByLabelText(/Phone with SberBank Online/);
    expect((phone as HTMLInputElement).value).toBe('+7 (999) 123-45-67');
    await user.click(screen.getByRole('button', { name: /Send the request/ }));
    await screen.findByText(/Open SberBank Online on your phone/);
    expect(sent[0]?.body).toMatchObject({ payment_type: 'sberpay', phone: '79991234567' });
  });
});

describe('the time to pay', () => {
  it('that has run out ends the offer to pay for a customer who has begun nothing', async () => {
    const { places } = openPayment({
      payment: { problem, pay_until: new Date(Date.now() - 1000).toISOString() },
    });
    await waitFor(() => expect(places.at(-1)).toBe('/berlin/back-to-home?state=payment-failure'));
  });

  it('that has run out does not interrupt a customer who waits for the bank', async () => {
    const { places } = openPayment({
      payment: { state: 'checking', pay_until: new Date(Date.now() - 1000).toISOString() },
    });
    await screen.findByRole('heading', { name: /Still checking, order no. 12345678/ });
    screen.getByText(/Do not pay again/);
    expect(places).toHaveLength(1);
  });

  it('says what happens when it is over', async () => {
    openPayment({ payment: { problem } });
    await screen.findByText(/not paid by then, the order is canceled; the cart stays/);
  });

  it('is marked in the last two minutes only', async () => {
    openPayment({ payment: { problem, pay_until: new Date(Date.now() + 90_000).toISOString() } });
    const timer = await screen.findByRole('timer');
    expect(timer.textContent).toMatch(/Time left to pay 1:(30|29)/);
    expect(timer.className).toContain('warn');
  });

  it('is measured by the server’s clock when the device’s is wrong', async () => {
    const ahead = 1_800_000;
    const until = new Date(Date.now() + ahead + 300_000).toISOString();
    const payment = makePayment({ problem, pay_until: until });
    const headers = { Date: new Date(Date.now() + ahead).toUTCString() };
    openPayment({
      instead: http.get('*/api/order-payment/:key', () =>
        HttpResponse.json({ payment }, { headers }),
      ),
    });
    expect((await screen.findByRole('timer')).textContent).toMatch(/(5:0|4:5)\d$/);
  });
});

describe('an order that is over', () => {
  it('that was canceled says so, and leads back to the full cart', async () => {
    openPayment({ payment: { state: 'canceled', status: 'canceled' } });
    await screen.findByRole('heading', { name: 'The order is canceled' });
    screen.getByText(/it goes back to you automatically/);
    await screen.findByText(/Your cart is kept/);
    screen.getByRole('link', { name: 'Back to the checkout' });
  });

  it('and was placed again leads to the new one', async () => {
    writeLastOrder({ orderId: 87654321, cityAlias: 'berlin' });
    openPayment({ payment: { state: 'canceled', status: 'canceled' }, lines: [] });
    const track = await screen.findByRole('link', { name: 'Track the order' });
    expect(track.getAttribute('href')).toBe('/berlin/order/87654321/tracking');
    screen.getByText(/You have placed this order again/);
    expect(screen.queryByText(/Your cart is kept/)).toBeNull();
    expect(screen.queryByRole('link', { name: 'Back to the checkout' })).toBeNull();
  });

  it('whose cart is empty leads to the menu', async () => {
    writeLastOrder({ orderId: 12345678, cityAlias: 'berlin' });
    openPayment({ payment: { state: 'canceled', status: 'canceled' }, lines: [] });
    const menu = await screen.findByRole('link', { name: 'To the menu' });
    expect(menu.getAttribute('href')).toBe('/berlin');
    expect(screen.queryByText(/cart is kept|again/)).toBeNull();
  });

  it('that is being paid back says how much, in the words of the server', async () => {
    const message = 'The order is canceled. Of the €25 you paid, €10 is on its way back to you.';
    openPayment({ payment: { state: 'refunding', status: 'canceled', refunded: 5, message } });
    await screen.findByRole('heading', { name: 'The money goes back to you' });
    screen.getByText(message);
    expect(screen.queryByText(/€5/)).toBeNull();
  });

  it('that was paid back says how much', async () => {
    openPayment({ payment: { state: 'refunded', status: 'canceled', refunded: 10 } });
    await screen.findByRole('heading', { name: '€10 went back to you' });
  });

  it('and whose money is kept is not called accepted', async () => {
    const message = 'The order is canceled, and its money is not refunded.';
    openPayment({ payment: { state: 'paid', status: 'canceled', message } });
    await screen.findByRole('heading', { name: 'The order is canceled' });
    screen.getByText(message);
    const order = screen.getByRole('link', { name: 'To the order' });
    expect(order.getAttribute('href')).toBe('/berlin/order/12345678/tracking');
    expect(screen.queryByText(/accepted/)).toBeNull();
  });

  it.each([
    ['accepted', 12345678],
    ['done', 87654321],
  ] as const)(
    'and paid replaces the order in progress only while it is %s',
    async (status, last) => {
      writeLastOrder({ orderId: 87654321, cityAlias: 'berlin' });
      openPayment({ payment: { state: 'paid', status } });
      await screen.findByRole('heading', { name: /We have accepted your order/ });
      expect(readLastOrder()?.orderId).toBe(last);
    },
  );

  it('of somebody else is not shown', async () => {
    const problem = { message: 'not found' };
    openPayment({ instead: refuse('get', '/order-payment/{order_cache_key}', 404, problem) });
    await screen.findByText('This browser does not know the order');
  });
});

it('says that a demo moves no money', async () => {
  openPayment({ payment: { problem }, settings: { is_sandbox: true } });
  expect((await screen.findByRole('link', { name: 'Test cards' })).getAttribute('href')).toBe(
    '/dev/sandbox/',
  );
  fireEvent.click(screen.getByText('How paying works'));
});
