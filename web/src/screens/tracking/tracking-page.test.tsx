import { act, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readLastOrder, writeLastOrder } from '@/entities/order/last-order';
import { makeGift, makeLine, twoMasks } from '@/testing/fixtures';
import { makeAddress, makeOrder, makePrices, makeSeller, makeStatus } from '@/testing/orders';
import { answer, refuse, server } from '@/testing/server';
import { modals } from '@/ui/modals/modal-store';
import { now, open, path, pushChange, Stream } from './tracking-page.fixture';

beforeEach(() => {
  Stream.open = [];
  vi.stubGlobal('EventSource', Stream);
  vi.spyOn(Date, 'now').mockReturnValue(now);
});
afterEach(() => vi.unstubAllGlobals());

describe('tracking', () => {
  it('says the state of the order and what was ordered', async () => {
    open();
    const heading = await screen.findByRole('heading', { level: 1 });
    expect(heading.textContent).toBe('We have your order. We will bring it by 19:40.');
    expect(screen.getByText('Philadelphia')).toBeTruthy();
    expect(document.title).toBe('Accepted · order 12345678 — Umi');
  });

  it.each([
    ['2026-11-21T22:59:00Z', '19:00'],
    ['2026-11-21T23:00:00Z', '21 November, 19:00'],
  ])('says at %s when a step was reached: %s', async (at, said) => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.parse(at));
    open();
    await screen.findByText(said);
  });

  it('prints when the order was placed, which the screen says with its steps', async () => {
    open(makeOrder({ created_at: '2026-11-21T18:00:00Z' }));
    const placed = await screen.findByText(/21\sNovember 2026, 19:00/);
    expect(placed.className).toBe('hidden print:inline');
  });

  it('shows a pushed status and stops listening after the last one', async () => {
    open();
    await screen.findByRole('button', { name: 'Cancel the order' });
    const cooking = makeStatus({
      alias: 'cooking',
      description: 'We are cooking.',
      changed_at: '2026-11-21T18:05:00Z',
      can_cancel: false,
    });
    pushChange(makeOrder({ status: cooking }));
    expect(await screen.findByRole('heading', { name: 'We are cooking.' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Cancel the order' })).toBeNull();
    const done = { ...cooking, alias: 'done' as const, final: true, can_repeat: true };
    pushChange(makeOrder({ status: { ...done, changed_at: '2026-11-21T18:15:00Z' } }));
    expect(await screen.findByRole('button', { name: 'Order again' })).toBeTruthy();
    expect(Stream.open).toEqual([]);
  });

  it('shows what has changed with a status that says nothing of it', async () => {
    const late = makeOrder({ promised_to: '2026-11-21T18:10:00Z' });
    open(late);
    await screen.findByText('It is taking longer than we promised');
    Stream.push('status', late.status);
    pushChange({
      ...late,
      promised_to: '2026-11-21T19:10:00Z',
      cart: { ...late.cart, prices: makePrices({ total: 777 }) },
    });
    await screen.findByText(/777/);
    expect(screen.queryByText('It is taking longer than we promised')).toBeNull();
  });

  it.each([
    ['is not replaced by one that is over', true, 40317],
    ['is replaced by another in progress', false, 12345678],
  ])('the last order of the device, in progress, %s', async (_, isOver, last) => {
    writeLastOrder({ orderId: 40317, cityAlias: 'berlin', isOver: false });
    open(makeOrder({ status: makeStatus(isOver ? { alias: 'done', final: true } : {}) }));
    await screen.findByText('Order no. 12345678');
    expect(readLastOrder()?.orderId).toBe(last);
  });

  it('asks for the order when nothing can be pushed', async () => {
    open();
    await screen.findByRole('heading', { name: /^We have your order/ });
    const status = makeStatus({
      alias: 'cooking',
      description: 'We are cooking.',
      changed_at: '2026-11-21T18:05:00Z',
    });
    server.use(answer('get', '/order/{id}', () => ({ order: makeOrder({ status }) })));
    act(() => {
      for (const stream of Stream.open) stream.onerror?.();
    });
    expect(await screen.findByRole('heading', { name: 'We are cooking.' })).toBeTruthy();
  });

  it('says that an order is late and whom to call', async () => {
    open(makeOrder({ promised_to: '2026-11-21T18:10:00Z' }));
    expect(await screen.findByText('It is taking longer than we promised')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Call +49 30 1234567' })).toBeTruthy();
  });

  it('asks for the phone when the order is not known here, and keeps the errors at their fields', async () => {
    const { user } = open(null);
    server.use(
      refuse('post', '/order/status', 422, {
        message: 'Check',
        errors: { order_id: ['We could not find this order'] },
      }),
    );
    expect(await screen.findByText(/This browser does not know order 12345678/)).toBeTruthy();
    await user.click(screen.getByLabelText(/Phone/));
    await user.paste('30123456789');
    await user.click(screen.getByRole('button', { name: 'Find the order' }));
    expect(await screen.findByText('We could not find this order')).toBeTruthy();
  });

  it.each([
    [
      'chosen',
      async (user: UserEvent) => {
        await user.selectOptions(screen.getByLabelText('Country code'), '2');
        await user.type(screen.getByLabelText(/Phone/), '5321234567');
      },
    ],
    [
      'pasted',
      async (user: UserEvent) => {
        await user.click(screen.getByLabelText(/Phone/));
        await user.paste('+90 532 123 45 67');
      },
    ],
  ] as const)('finds an order by a number of another country that is %s', async (_, enter) => {
    const asked = vi.fn();
    const { user } = open(null, path, {}, { phone_masks: twoMasks });
    server.use(
      answer('post', '/order/status', async ({ request }) => {
        asked(await request.json());
        return { order_id: 12345678, city_alias: 'berlin', status: makeStatus() };
      }),
    );
    await screen.findByText(/This browser does not know order 12345678/);
    await enter(user);
    await user.click(screen.getByRole('button', { name: 'Find the order' }));
    await waitFor(() =>
      expect(asked).toHaveBeenCalledWith({ order_id: 12345678, phone: '905321234567' }),
    );
  });

  it('shows an order that was opened by phone in brief, without buttons that would be refused', async () => {
    const {
      username: _name,
      phone: _phone,
      link: _link,
      delivery_address: _address,
      ...brief
    } = makeOrder();
    const seen = {
      ...brief,
      status: makeStatus({ can_cancel: false, can_repeat: false }),
      courier_tracking: false,
      is_brief: true,
    };
    const { user } = open(seen, path, { is_auth_enabled: true });
    await screen.findByText(/the name, phone and address are not shown here/);
    screen.getByText('Philadelphia');
    for (const name of ['Copy the link to the order', 'Cancel the order', 'Order again'])
      expect(screen.queryByRole('button', { name })).toBeNull();
    expect(screen.queryByText('Customer')).toBeNull();
    expect(screen.queryByText('Delivery address')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(modals.get().defaults.map(({ name }) => name)).toEqual(['user-login']);
  });

  it('says once when the next attempt is possible after too many', async () => {
    const { user } = open(null);
    server.use(refuse('post', '/order/status', 429, { message: 'Too many tries' }));
    await user.click(await screen.findByLabelText(/Phone/));
    await user.paste('30123456789');
    await user.click(screen.getByRole('button', { name: 'Find the order' }));
    await screen.findByText('Too many tries. Try again in 1 min.');
  });

  it('says only that the order is canceled when the first answer to it was lost', async () => {
    const canceled = makeOrder({
      status: makeStatus({ alias: 'canceled', description: 'Canceled.', final: true }),
    });
    const keys: (string | null)[] = [];
    server.use(
      http.post('*/order/cancel', ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        return keys.length === 1 ? HttpResponse.error() : HttpResponse.json({ order: canceled });
      }),
    );
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Cancel the order' }));
    const question = await screen.findByRole('dialog', {}, { timeout: 4000 });
    await user.click(within(question).getByRole('button', { name: 'Cancel the order' }));
    await screen.findByRole('heading', { name: 'Canceled.' }, { timeout: 4000 });
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(screen.queryByText('No connection. Check the network and try again.')).toBeNull();
  });

  it('cancels after a question', async () => {
    const canceled = makeOrder({
      status: makeStatus({ alias: 'canceled', description: 'Canceled.', final: true }),
    });
    server.use(answer('post', '/order/cancel', () => ({ order: canceled })));
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Cancel the order' }));
    await screen.findByText('Cancel order no. 12345678?', {}, { timeout: 4000 });
    const [, confirm] = screen.getAllByRole('button', { name: 'Cancel the order', hidden: true });
    await user.click(confirm as HTMLElement);
    expect(await screen.findByRole('heading', { name: 'Canceled.' })).toBeTruthy();
  });

  it('closes the question whether to cancel once it is cooked', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Cancel the order' }));
    await screen.findByText(/You pay nothing/, {}, { timeout: 4000 });
    const status = makeStatus({
      alias: 'cooking',
      description: 'We are cooking.',
      changed_at: '2026-11-21T18:05:00Z',
      can_cancel: false,
    });
    pushChange(makeOrder({ status }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Order no. 12345678' }));
    dialog.getByText('We are cooking.');
    dialog.getByText(/It can no longer be canceled here/);
    expect(screen.queryByText(/You pay nothing/)).toBeNull();
    expect(dialog.queryByRole('button', { name: 'Cancel the order' })).toBeNull();
  });
});

const takeaway = {
  order_type: 'takeaway' as const,
  sold_by: makeSeller(),
  delivery_address: undefined,
};

describe('a canceled order', () => {
  const status = makeStatus({ alias: 'canceled', final: true, can_cancel: false });

  it('is not paid for when it was to be paid on receipt', async () => {
    open(makeOrder({ status, cash: 50 }));
    await screen.findByText('Nothing to pay');
    expect(screen.queryByText('Cash')).toBeNull();
    expect(screen.queryByText(/change from/)).toBeNull();
  });

  it('does not show the way to the shop', async () => {
    open(makeOrder({ ...takeaway, status }));
    await screen.findByText('Nothing to pay');
    screen.getByText(/Mitte, Linienstraße 40/);
    expect(screen.queryByRole('link', { name: 'Show the way' })).toBeNull();
  });
});

describe('the seller of an order', () => {
  it('is the company of the shop that took it, not of the zone that has the address now', async () => {
    const address = makeAddress({ company_name: 'Another GmbH' });
    open(makeOrder({ delivery_address: address, sold_by: makeSeller() }));
    await screen.findByText('Umiko Berlin GmbH');
    expect(screen.queryByText('Another GmbH')).toBeNull();
  });

  it('is shown with the place and the way to it when the shop is gone', async () => {
    open(makeOrder(takeaway));
    await screen.findByText('Umiko Berlin GmbH');
    screen.getByText(/Mitte, Linienstraße 40/);
    screen.getByRole('link', { name: 'Show the way' });
  });
});

describe('what was ordered', () => {
  const gift = makeGift({ count: 2, max_count: 2 });
  const prices = makePrices({ discount: 2.5, bonuses: 4, upcoming_bonuses: 1.25, total: 18.5 });
  const cart = { products: [makeLine()], packages: [], gifts: [gift], promocode: 'WOK10', prices };

  it('names gifts that cost nothing, the code, bonuses paid and bonuses to come', async () => {
    open(makeOrder({ cart }));
    const lines = await screen.findByRole('list', { name: 'What is ordered' });
    expect(lines.textContent).toMatch(/Miso soup × 2.*free.*€8/);
    const sums = screen.getByRole('region', { name: 'Your order' }).textContent;
    expect(sums).toContain('Deliveryfree');
    expect(sums).toContain('Promo code WOK10−€2.50');
    expect(sums).toContain('Bonuses−€4');
    screen.getByText('You will get 1.25 B for it');
  });

  it('promises no bonuses for an order that is canceled', async () => {
    open(makeOrder({ cart, status: makeStatus({ alias: 'canceled', final: true }) }));
    await screen.findByRole('list', { name: 'What is ordered' });
    expect(screen.queryByText(/1.25 B/)).toBeNull();
  });
});

describe('an order that is paid online', () => {
  const payment = {
    state: 'waiting',
    order_cache_key: 'key-1',
    pay_until: '2026-11-21T18:42:00Z',
  } as const;
  const unpaid = makeOrder({
    payment_type: { alias: 'card_online', name: 'Card online', is_online: true },
    status: makeStatus({
      alias: 'waiting_for_payment',
      description: 'We are waiting for your payment.',
      can_cancel: false,
    }),
    payment,
  });

  it('says until when it waits, leads to the payment, and becomes accepted on the same page', async () => {
    open(unpaid);
    await screen.findByText('Waiting for payment until 19:42');
    const pay = screen.getByRole('link', { name: 'Pay for the order' });
    expect(pay.getAttribute('href')).toBe('/berlin/order/payment/key-1');
    screen.getByText('not paid yet');
    const paid = makeOrder({
      ...unpaid,
      status: makeStatus({ changed_at: '2026-11-21T18:25:00Z' }),
      payment: { ...payment, state: 'paid' },
    });
    pushChange(paid);
    await screen.findByText('paid');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toMatch(/^We have your order/);
    expect(screen.queryByRole('link', { name: 'Pay for the order' })).toBeNull();
  });

  it('says where the money of a canceled one is', async () => {
    const message = 'The money is on its way back to your card.';
    const status = makeStatus({ alias: 'canceled', final: true, can_cancel: false });
    open(makeOrder({ ...unpaid, status, payment: { ...payment, state: 'refunding', message } }));
    await screen.findByText(message);
    screen.getByText('the money is on its way back');
    expect(screen.queryByText('Nothing to pay')).toBeNull();
  });

  it('says what is more to pay on receipt and who brings it', async () => {
    const courier = { name: 'Ivan', phone: '4930123456' };
    open(
      makeOrder({
        ...unpaid,
        status: makeStatus(),
        courier,
        payment: { ...payment, state: 'paid', to_collect: 1.5 },
      }),
    );
    await screen.findByText('€1.50 more to pay on receipt');
    screen.getByText('Ivan');
    expect(document.querySelector('a[href="tel:+4930123456"]')).not.toBeNull();
  });

  it('does not ask to pay a canceled one that was never paid', async () => {
    const status = makeStatus({ alias: 'canceled', final: true, can_cancel: false });
    open(makeOrder({ ...unpaid, status, payment: { ...payment, state: 'canceled' } }));
    await screen.findByText('Nothing to pay');
  });
});
