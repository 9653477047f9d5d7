import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Schema } from '@/api/types';
import { setPlace } from '@/entities/place/place';
import { makeCart, makeCity, makeLine, makePageData, makeSite } from '@/testing/fixtures';
import { makeAddress, makePrices } from '@/testing/orders';
import { renderInCity } from '@/testing/render';
import { answer, refuse, server } from '@/testing/server';
import { BonusToggle } from './bonus-toggle';
import { PromocodeField } from './promocode-field';

const address = makeAddress();
const cartWith = (own: Partial<Schema<'Cart'>> = {}) =>
  makeCart([makeLine()], { delivery_address: address, ...own });
const active = { code: 'WOK10', is_active: true, text: '10% off' };

beforeEach(() => setPlace(1, { orderType: 'delivery', address }));

describe('the promocode', () => {
  async function open(cart = cartWith()) {
    server.use(answer('put', '/cart', () => ({ cart })));
    const page = renderInCity(<PromocodeField />);
    await screen.findByLabelText('Promo code');
    return page;
  }
  const field = () => screen.getByLabelText<HTMLInputElement>('Promo code');

  it('is applied by Enter, locked then and shown once', async () => {
    const codes: string[] = [];
    server.use(
      answer('put', '/cart/gift/apply-promocode', async ({ request }) => {
        codes.push(((await request.json()) as { promocode: string }).promocode);
        return { cart: cartWith({ promocode: active }) };
      }),
    );
    const { user } = await open();
    await user.type(field(), ' wok10{Enter}');
    await screen.findByText('10% off');
    expect(codes).toEqual(['wok10']);
    expect(field().readOnly).toBe(true);
    expect(field().value).toBe('WOK10');
    expect(screen.getAllByText('The promo code is applied')).toHaveLength(1);
  });

  it('is sent again under the same key while its answer is lost', async () => {
    const sent: (string | null)[] = [];
    server.use(
      http.put('*/api/cart/gift/apply-promocode', ({ request }) => {
        sent.push(request.headers.get('Idempotency-Key'));
        return sent.length === 1
          ? HttpResponse.error()
          : HttpResponse.json({ cart: cartWith({ promocode: active }) });
      }),
    );
    const { user } = await open();
    await user.type(field(), 'WOK10{Enter}');
    await screen.findByText('10% off', {}, { timeout: 3000 });
    expect(sent).toEqual([sent[0], sent[0]]);
  });

  it('is shown as the server has it when no answer came', async () => {
    let isApplied = false;
    server.use(
      http.put('*/api/cart/gift/apply-promocode', () => {
        isApplied = true;
        return new HttpResponse(null, { status: 502 });
      }),
    );
    const { user } = await open();
    server.use(
      answer('put', '/cart', () => ({
        cart: cartWith({ promocode: isApplied ? active : undefined }),
      })),
    );
    await user.type(field(), 'WOK10{Enter}');
    await screen.findByText('10% off');
    expect(field().value).toBe('WOK10');
  });

  it('that is refused stays to be corrected, with the reason at the field', async () => {
    const reason = 'There is no such promocode';
    server.use(
      refuse('put', '/cart/gift/apply-promocode', 422, {
        message: 'Check it',
        errors: { promocode: [reason] },
      }),
    );
    const { user } = await open();
    await user.type(field(), 'WOKK');
    await user.click(screen.getByRole('button', { name: 'Apply' }));
    const note = await screen.findByText(reason);
    expect(field().value).toBe('WOKK');
    expect(field().getAttribute('aria-invalid')).toBe('true');
    expect(field().getAttribute('aria-describedby')).toBe(note.id);
    expect(document.activeElement).toBe(field());
    await user.keyboard('{Backspace}');
    expect(screen.queryByText(reason)).toBeNull();
  });

  it('says when the next attempt is possible', async () => {
    server.use(
      http.put('*/api/cart/gift/apply-promocode', () =>
        HttpResponse.json(
          { message: 'Too many tries' },
          { status: 429, headers: { 'Retry-After': '120' } },
        ),
      ),
    );
    const { user } = await open();
    await user.type(field(), 'WOKK{Enter}');
    await screen.findByText('Too many tries. Try again in 2 min.');
  });

  it('asks for the captcha when codes are guessed, and sends its token once', async () => {
    const site = makeSite({ captcha: { provider: 'turnstile', site_key: 'key', always: false } });
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
      http.put('*/api/cart/gift/apply-promocode', async ({ request }) => {
        const { captcha_user_token: token } = (await request.json()) as {
          captcha_user_token?: string;
        };
        tokens.push(token);
        if (token) return HttpResponse.json({ cart: cartWith({ promocode: active }) });
        const errors = { captcha_user_token: ['Show that you are no robot'] };
        return HttpResponse.json({ message: 'Captcha', errors }, { status: 422 });
      }),
      answer('put', '/cart', () => ({ cart: cartWith() })),
    );
    const { user } = renderInCity(<PromocodeField />, { data: makePageData({ site }) });
    await user.type(await screen.findByLabelText('Promo code'), 'WOK10{Enter}');
    await screen.findByText('Show that you are no robot');
    expect(field().value).toBe('WOK10');
    await waitFor(() => expect(solve).toBeDefined());
    act(() => solve?.('token'));
    await user.click(screen.getByRole('button', { name: 'Apply' }));
    await screen.findByText('10% off');
    expect(tokens).toEqual([undefined, 'token']);
    expect(screen.queryByText('Confirm that you are not a robot')).toBeNull();
    append.mockRestore();
  });

  it('that saves less than the bonuses it excludes shows a warning, and one tap removes it', async () => {
    const paid = makePrices({ subtotal: 12.5, bonuses: 3, total: 9.5 });
    const dearer = makePrices({ subtotal: 12.5, discount: 1.25, total: 11.25 });
    const before = cartWith({ prices: paid });
    server.use(
      answer('put', '/cart/gift/apply-promocode', () => ({
        cart: cartWith({ promocode: active, prices: dearer }),
      })),
      answer('put', '/cart/gift/forget-promocode', () => ({ cart: before })),
    );
    const { user } = await open(before);
    await user.type(field(), 'WOK10{Enter}');
    await screen.findByText(
      'With this code you pay €1.75 more: bonuses cannot be combined with it.',
    );
    expect(screen.queryByText('10% off')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Remove the promo code' }));
    await waitFor(() => expect(field().readOnly).toBe(false));
    expect(screen.queryByText(/With this code/)).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(field()));
  });

  it('that has no effect now says what is missing and stays', async () => {
    await open(cartWith({ promocode: { code: 'WOK10', is_active: false, text: 'Add €5 more' } }));
    screen.getByText('Add €5 more');
    expect(field().readOnly).toBe(true);
  });

  it('is removed by its button, and the field is open and empty again', async () => {
    server.use(answer('put', '/cart/gift/forget-promocode', () => ({ cart: cartWith() })));
    const { user } = await open(cartWith({ promocode: active }));
    await user.click(screen.getByRole('button', { name: 'Remove promo code WOK10' }));
    await waitFor(() => expect(field().readOnly).toBe(false));
    expect(field().value).toBe('');
    await waitFor(() => expect(document.activeElement).toBe(field()));
  });

  it('cannot be typed where nothing can be ordered', async () => {
    setPlace(1, { orderType: 'delivery', address: undefined });
    server.use(answer('put', '/cart', () => ({ cart: makeCart([makeLine()]) })));
    const { client } = renderInCity(<PromocodeField />);
    await waitFor(() => expect(client.isFetching()).toBe(0));
    expect(screen.queryByLabelText('Promo code')).toBeNull();
  });
});

describe('bonuses', () => {
  // The chunk of the dialog is loaded before the clock of a test runs.
  beforeAll(async () => {
    await import('@/screens/bonus/bonus-dialog');
  });
  const bonus = { balance: 30, limit: 11.5, wanted: 0, is_available: true };
  async function open(
    own: Partial<Schema<'CartBonus'>>,
    cart: Partial<Schema<'Cart'>> = {},
    is_accruing = true,
  ) {
    server.use(
      answer('put', '/cart', () => ({ cart: cartWith({ bonus: { ...bonus, ...own }, ...cart }) })),
    );
    const bonus_programme = { percent: 5, is_accruing, is_spendable: true };
    const data = makePageData({ city: makeCity({ bonus_programme }) });
    const page = renderInCity(<BonusToggle />, { data });
    await screen.findByRole('switch', { name: 'Pay with bonuses' });
    return page;
  }
  const toggle = () => screen.getByRole<HTMLInputElement>('switch', { name: 'Pay with bonuses' });

  it('are requested with the whole balance and released with 0', async () => {
    const wanted: number[] = [];
    server.use(
      answer('put', '/cart/gift/apply-bonuses', async ({ request }) => {
        const { bonuses } = (await request.json()) as { bonuses: number };
        wanted.push(bonuses);
        const paid = Math.min(bonuses, bonus.limit);
        const prices = makePrices({ subtotal: 12.5, bonuses: paid, total: 12.5 - paid });
        return { cart: cartWith({ bonus: { ...bonus, wanted: bonuses }, prices }) };
      }),
    );
    const { user } = await open({});
    screen.getByText('You have 30 B, 11.50 B can be used for this order');
    await user.click(toggle());
    expect(toggle().checked).toBe(true);
    await screen.findByText('11.50 B of 30 B used for this order');
    await user.click(toggle());
    await waitFor(() => expect(wanted).toEqual([30, 0]));
    expect(toggle().checked).toBe(false);
  });

  it('stay off when the answer to an earlier press comes after they were switched off again', async () => {
    const answers: (() => void)[] = [];
    server.use(
      answer('put', '/cart/gift/apply-bonuses', async ({ request }) => {
        const { bonuses } = (await request.json()) as { bonuses: number };
        await new Promise<void>((resolve) => answers.push(resolve));
        return { cart: cartWith({ bonus: { ...bonus, wanted: bonuses } }) };
      }),
    );
    const { user } = await open({});
    await user.click(toggle());
    await user.click(toggle());
    await waitFor(() => expect(answers).toHaveLength(1));
    answers[0]?.();
    await waitFor(() => expect(answers).toHaveLength(2));
    expect(toggle().checked).toBe(false);
    answers[1]?.();
    await screen.findByText(/In the cart/);
    expect(toggle().checked).toBe(false);
  });

  it.each([
    ['a discount', {}, { prices: makePrices({ discount: 2 }) }, /combined with a disc/],
    [
      'a discount that drove them out',
      { wanted: 30 },
      { prices: makePrices({ discount: 2 }) },
      /cannot be combined with a discount/,
    ],
    ['an empty balance', { balance: 0, limit: 0 }, {}, /come with your orders/],
    ['nothing to pay', { limit: 0 }, {}, /Nothing in this order/],
    [
      'a pause',
      { is_available: false, limit: 0, wanted: 30 },
      { messages: [{ position: 'bonus_description' as const, text: 'Paused until May' }] },
      /Paused until May/,
    ],
  ])('are off and say why: %s', async (_, own, cart, reason) => {
    await open(own, cart);
    screen.getByText(reason);
    expect(toggle().disabled).toBe(true);
    expect(toggle().checked).toBe(false);
  });

  it('that the order brings are shown', async () => {
    await open({}, { prices: makePrices({ upcoming_bonuses: 1.25 }) });
    screen.getByText('You will get 1.25 B for this order');
  });

  it('are not promised while the programme is paused', async () => {
    await open({ balance: 0 }, {}, false);
    screen.getByText(/No new bonuses are given now\./);
    expect(screen.queryByText(/Bonuses come with your orders/)).toBeNull();
  });

  it('are explained in a dialog', async () => {
    const { user } = await open({});
    await user.click(screen.getByRole('button', { name: 'About bonuses' }));
    await screen.findByRole('dialog', { name: 'Bonuses' });
    screen.getByText(/5% of what you pay/);
  });

  it('are not shown to a guest', async () => {
    server.use(answer('put', '/cart', () => ({ cart: cartWith() })));
    const { client } = renderInCity(<BonusToggle />);
    await waitFor(() => expect(client.isFetching()).toBe(0));
    expect(screen.queryByRole('switch')).toBeNull();
  });
});
