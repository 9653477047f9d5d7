import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http, type RequestHandler } from 'msw';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Route } from 'wouter';
import { keys } from '@/api/keys';
import type { Schema } from '@/api/types';
import { writeLastOrder } from '@/entities/order/last-order';
import { writeInTab } from '@/lib/storage';
import { makeCart, makeLine, makePageData } from '@/testing/fixtures';
import { makeNext, makePayment, makePaymentSettings, makePaymentType } from '@/testing/payments';
import { renderInCity } from '@/testing/render';
import { answer, refuse, server } from '@/testing/server';
import { PaymentPage } from './payment-page';

type Payment = Schema<'OrderPayment'>;
type Sent = { key: string | null; body: Schema<'OrderPay'> };

const path = '/berlin/order/payment/key-1';
const bank = 'https://bank.example/pay/1';
const leave = vi.fn();

interface Given {
  payment?: Partial<Payment>;
  settings?: Partial<Schema<'PaymentSettings'>>;
  search?: string;
  /** What paying answers; by default it leads to the bank's page. */
  next?: Schema<'PaymentNext'>;
  /** What lies in the cart. */
  lines?: Schema<'CartProduct'>[];
  /** What can be paid with at the checkout. */
  offered?: Schema<'PaymentTypeAlias'>[];
  /** Answers in place of the usual ones. */
  instead?: RequestHandler;
}

/** Opens the page of an order; `now` is what the server says of it and may be changed. */
function open({ payment, settings, search = '', next, lines, offered = [], instead }: Given = {}) {
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
  /** The server says something else, and is asked. */
  const tell = async (news: Partial<Payment>) => {
    now.payment = { ...now.payment, ...news };
    await act(() => page.client.invalidateQueries({ queryKey: keys.orderPayment('key-1') }));
  };
  return { ...page, sent, tell, now };
}

const problem = {
  reason: 'insufficient_funds' as const,
  message: 'Not enough money on the card. Take another card.',
};

beforeEach(() => {
  leave.mockReset();
  vi.spyOn(location, 'assign').mockImplementation(leave);
});
afterEach(() => vi.unstubAllGlobals());

describe('paying on the acquirer’s page', () => {
  it('leads there at once, and shows what is to be paid', async () => {
    const { sent } = open();
    await waitFor(() => expect(leave).toHaveBeenCalledWith(bank));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('To pay: €25');
    expect(sent).toHaveLength(1);
    expect(sent[0]?.body).toMatchObject({
      order_id: 12345678,
      order_cache_key: 'key-1',
      payment_type: 'card_online',
    });
    screen.getByRole('button', { name: 'Go on to the bank' });
  });

  it('does not go where no bank can be', async () => {
    open({ next: makeNext('approved-new', { form_url: 'http://bank.example' }) });
    await screen.findByText(/The bank’s page cannot be opened/);
    expect(leave).not.toHaveBeenCalled();
  });

  it('asks for the same try again when its answer was lost by a reload', async () => {
    const body = { order_id: 12345678, order_cache_key: 'key-1', payment_type: 'card_online' };
    writeInTab('payment.key-1', { unanswered: { key: 'same', body } });
    const { sent } = open();
    await waitFor(() => expect(leave).toHaveBeenCalledWith(bank));
    expect(sent).toEqual([{ key: 'same', body }]);
  });

  it('sends the same try until its answer comes through', async () => {
    const keys: (string | null)[] = [];
    open({
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
    const { sent, tell } = open({ search: '?back=1', payment: { state: 'pending', next } });
    await screen.findByRole('heading', { name: 'We are asking the bank' });
    await tell({ state: 'paid', status: 'accepted', next: undefined });
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
    const { user, sent } = open();
    await waitFor(() => expect(leave).toHaveBeenCalledTimes(1));
    const shown = Object.assign(new Event('pageshow'), { persisted: true });
    act(() => void dispatchEvent(shown));
    await user.click(await screen.findByText('How paying works'));
    expect(sent).toHaveLength(1);
    expect(leave).toHaveBeenCalledTimes(1);
  });

  it('says why a try failed, and lets one try again or another way', async () => {
    const { user, sent } = open({
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
    open({ payment: { problem }, offered: ['card_online', 'cash'] });
    const back = await screen.findByRole('link', { name: 'back to the checkout' });
    expect(back.parentElement?.textContent).toBe('Cash: back to the checkout');
  });

  it('leads back without such words where everything is paid online', async () => {
    open({ payment: { problem }, offered: ['card_online'] });
    await screen.findByRole('link', { name: 'Back to the checkout' });
    expect(screen.queryByText(/on receipt/)).toBeNull();
  });

  it('shows what was refused for certain', async () => {
    const problem = { message: 'No', errors: { payment: ['The bank said no'] } };
    open({ instead: refuse('post', '/order/pay', 422, problem) });
    await screen.findByText('The bank said no');
    screen.getByRole('button', { name: /Try again/ });
  });
});

describe('another way to pay', () => {
  it('begins at once where nothing has to be filled in', async () => {
    const next = makeNext('sbp-mobile', { qr_code: 'https://qr.example/1' });
    const { user, sent } = open({
      payment: { problem, payment_types: [makePaymentType('sbp')] },
      next,
    });
    await user.click(await screen.findByRole('button', { name: 'SBP' }));
    await screen.findByRole('img', { name: 'QR code for your bank’s app' });
    expect(sent[0]?.body.payment_type).toBe('sbp');
  });
});

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
    const page = open({ ...given, settings });
    const number = (await screen.findByLabelText(/Card number/)) as HTMLInputElement;
    const put = async (label: RegExp, text: string) => {
      await page.user.click(screen.getByLabelText(label));
      await page.user.paste(text);
    };
    const fill = async (digits = '4242424242424242') => {
      await put(/Card number/, digits);
      await put(/Expiry date/, '12/2030');
      await put(/CVC code/, '123');
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

  it('says at the field what is wrong before anything is sent', async () => {
    const { user, sent, fill, number } = await openForm();
    await fill('4242424242424241');
    await user.click(payButton());
    await screen.findByText('There is a mistake in the number. Check the digits');
    expect(document.activeElement).toBe(number);
    expect(sent).toEqual([]);
  });

  it('says after a refusal that another card will do', async () => {
    await openForm({ payment: { problem } });
    screen.getByText('Try again or with another card');
    payButton();
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

  it('asks for what the acquirer wants in the card first', async () => {
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

  it('stands in a frame; what the bank says is asked for when it is over', async () => {
    const { user, tell } = open({ payment: pending });
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
    await tell({ state: 'paid' });
    await screen.findByRole('heading', { name: /We have accepted your order/ });
  });

  it('that was closed can be gone on with', async () => {
    const { user } = open({ payment: pending });
    await user.click(await screen.findByRole('button', { name: 'Confirm at your bank' }));
    await user.click(await screen.findByRole('button', { name: 'Close' }));
    await screen.findByRole('heading', { name: 'Your bank is waiting for you to confirm' });
  });
});

describe('SberPay', () => {
  it('asks which phone, and says where to confirm', async () => {
    const { user, sent } = open({
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
  it('that has run out leads away from who is in the middle of nothing', async () => {
    const { places } = open({
      payment: { problem, pay_until: new Date(Date.now() - 1000).toISOString() },
    });
    await waitFor(() => expect(places.at(-1)).toBe('/berlin/back-to-home?state=payment-failure'));
  });

  it('that has run out leaves alone who waits for the bank', async () => {
    const { places } = open({
      payment: { state: 'checking', pay_until: new Date(Date.now() - 1000).toISOString() },
    });
    await screen.findByRole('heading', { name: /Still checking, order no. 12345678/ });
    screen.getByText(/Do not pay again/);
    expect(places).toHaveLength(1);
  });

  it('says what happens when it is over', async () => {
    open({ payment: { problem } });
    await screen.findByText(/not paid by then, the order is canceled; the cart stays/);
  });

  it('is marked in the last two minutes only', async () => {
    open({ payment: { problem, pay_until: new Date(Date.now() + 90_000).toISOString() } });
    const timer = await screen.findByRole('timer');
    expect(timer.textContent).toMatch(/Time left to pay 1:(30|29)/);
    expect(timer.className).toContain('warn');
  });

  it('goes by the server’s clock when the device’s is wrong', async () => {
    const ahead = 1_800_000;
    const until = new Date(Date.now() + ahead + 300_000).toISOString();
    const payment = makePayment({ problem, pay_until: until });
    const headers = { Date: new Date(Date.now() + ahead).toUTCString() };
    open({
      instead: http.get('*/api/order-payment/:key', () =>
        HttpResponse.json({ payment }, { headers }),
      ),
    });
    expect((await screen.findByRole('timer')).textContent).toMatch(/(5:0|4:5)\d$/);
  });
});

describe('an order that is over', () => {
  it('that was canceled says so, and leads back to the full cart', async () => {
    open({ payment: { state: 'canceled', status: 'canceled' } });
    await screen.findByRole('heading', { name: 'The order is canceled' });
    screen.getByText(/it goes back to you automatically/);
    await screen.findByText(/Your cart is kept/);
    screen.getByRole('link', { name: 'Back to the checkout' });
  });

  it('and was placed again leads to the new one', async () => {
    writeLastOrder({ orderId: 87654321, cityAlias: 'berlin' });
    open({ payment: { state: 'canceled', status: 'canceled' }, lines: [] });
    const track = await screen.findByRole('link', { name: 'Track the order' });
    expect(track.getAttribute('href')).toBe('/berlin/order/87654321/tracking');
    screen.getByText(/You have placed this order again/);
    expect(screen.queryByText(/Your cart is kept/)).toBeNull();
    expect(screen.queryByRole('link', { name: 'Back to the checkout' })).toBeNull();
  });

  it('whose cart is empty leads to the menu', async () => {
    writeLastOrder({ orderId: 12345678, cityAlias: 'berlin' });
    open({ payment: { state: 'canceled', status: 'canceled' }, lines: [] });
    const menu = await screen.findByRole('link', { name: 'To the menu' });
    expect(menu.getAttribute('href')).toBe('/berlin');
    expect(screen.queryByText(/cart is kept|again/)).toBeNull();
  });

  it('that is paid back says how much', async () => {
    open({ payment: { state: 'refunding', refunded: 25 } });
    await screen.findByRole('heading', { name: '€25 goes back to you' });
  });

  it('of somebody else is not shown', async () => {
    const problem = { message: 'not found' };
    open({ instead: refuse('get', '/order-payment/{order_cache_key}', 404, problem) });
    await screen.findByText('This browser does not know the order');
  });
});

it('says that a demo moves no money', async () => {
  open({ payment: { problem }, settings: { is_sandbox: true } });
  expect((await screen.findByRole('link', { name: 'Test cards' })).getAttribute('href')).toBe(
    '/dev/sandbox/',
  );
  fireEvent.click(screen.getByText('How paying works'));
});
