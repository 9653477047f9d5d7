import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeInTab } from '@/lib/storage';
import { makeCart, makePageData, makeSite, twoMasks } from '@/testing/fixtures';
import {
  askForCode,
  codeField,
  Greeting,
  makeVerification,
  openLogin,
  user,
} from '@/testing/login';
import { renderInCity } from '@/testing/render';
import { answer, refuse, server } from '@/testing/server';
import { openModal } from '@/ui/modals/modal-store';

// The chunks of the dialogs are loaded before the clock of a test runs.
beforeAll(async () => {
  await import('./user-login-dialog');
});

describe('the phone step', () => {
  const masks = [
    { id: 7, name: 'Russia', code: '+7', mask: '+7 (###) ###-##-##', country_code: 'RU' },
    { id: 8, name: 'Belarus', code: '+375', mask: '+375 (##) ###-##-##', country_code: 'BY' },
  ];
  const phoneBox = () => screen.findByRole<HTMLInputElement>('textbox', { name: /Phone/ });
  const country = () => screen.getByLabelText<HTMLSelectElement>('Country code').value;

  it('takes a pasted number to its country', async () => {
    const page = await openLogin({ city: { phone_masks: masks } });
    await page.user.click(await phoneBox());
    await page.user.paste('+375 29 123-45-67');
    expect((await phoneBox()).value).toBe('+375 (29) 123-45-67');
    expect(country()).toBe('8');
    expect(document.activeElement).toBe(await phoneBox());
    await page.user.click(screen.getByRole('button', { name: 'Get a code by SMS' }));
    await codeField();
    expect(page.asked).toEqual([expect.objectContaining({ phone: '375291234567' })]);
  });

  it('takes a number that the browser fills in to its country', async () => {
    await openLogin({ city: { phone_masks: masks } });
    fireEvent.input(await phoneBox(), { target: { value: '+375291234567' } });
    expect((await phoneBox()).value).toBe('+375 (29) 123-45-67');
    expect(country()).toBe('8');
  });

  it('says that a country is not served and makes no other number of one of it', async () => {
    const page = await openLogin({ city: { phone_masks: masks } });
    await page.user.click(await phoneBox());
    await page.user.paste('+44 20 7946 0018');
    await screen.findByText(/We do not accept numbers from this country/);
    expect((await phoneBox()).value).toBe('');
    expect(country()).toBe('7');
    fireEvent.input(await phoneBox(), { target: { value: '+442079460018' } });
    expect((await phoneBox()).value).toBe('');
  });

  it('says that the cart is kept where only customers order', async () => {
    await openLogin({ site: { guest_orders: false }, params: { intent: 'order' } });
    await screen.findByText('Sign in to order. Your cart will be kept.');
  });

  it('asks for a code by the way that was pressed, with the digits of the phone', async () => {
    const page = await openLogin();
    await page.user.click(await screen.findByLabelText(/Phone/));
    await page.user.paste('0301 234 567 89');
    await page.user.click(screen.getByRole('button', { name: 'Get a code by call' }));
    await codeField();
    expect(page.asked).toEqual([
      expect.objectContaining({ phone: '4930123456789', notify_channel: 'call' }),
    ]);
  });

  it('sends nothing while the phone is missing or too short', async () => {
    const page = await openLogin();
    const button = await screen.findByRole('button', { name: 'Get a code by SMS' });
    await page.user.click(button);
    expect(await screen.findByText('Enter your phone number')).toBeTruthy();
    const phone = screen.getByLabelText(/Phone/);
    expect(document.activeElement).toBe(phone);
    await page.user.type(phone, '3012');
    await page.user.click(button);
    expect(await screen.findByText(/too short/)).toBeTruthy();
    expect(page.asked).toEqual([]);
  });

  it('shows under the phone what the server finds wrong with it', async () => {
    const page = await openLogin();
    server.use(
      refuse('post', '/user/login', 422, {
        message: 'Check the phone',
        errors: { phone: ['No such number'] },
      }),
    );
    await askForCode(page);
    expect(await screen.findByText('No such number')).toBeTruthy();
    const phone = screen.getByLabelText(/Phone/);
    expect(phone.getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(phone);
  });

  it('says under the phone that it was asked too often', async () => {
    const page = await openLogin();
    server.use(refuse('post', '/user/login', 429, { message: 'Too many attempts' }));
    await askForCode(page);
    const problem = await screen.findByText('Too many attempts');
    expect(screen.getByLabelText(/Phone/).getAttribute('aria-describedby')).toBe(problem.id);
  });

  it.each([
    ['the answer was lost', () => HttpResponse.error()],
    [
      'one was sent just before, whose answer was lost',
      () => HttpResponse.json({ message: 'Too many attempts' }, { status: 429 }),
    ],
  ])('goes on to the code that is on its way when %s', async (_, respond) => {
    const page = await openLogin();
    server.use(
      http.post('*/api/user/login', respond),
      answer('get', '/user/verification', () => ({ user: { verification: makeVerification() } })),
    );
    await askForCode(page);
    await page.user.type(await codeField(), '1234');
    await screen.findByText('Hello Anna');
  });

  it.each([
    ['went to another phone', { phone: '4930000000000' }],
    ['was sent long ago', { timer: 0 }],
  ])('stays when the answer was lost and the code that the server has %s', async (_, own) => {
    const page = await openLogin();
    server.use(
      http.post('*/api/user/login', () => HttpResponse.error()),
      answer('get', '/user/verification', () => ({
        user: { verification: makeVerification(own) },
      })),
    );
    await askForCode(page);
    await screen.findByText(/No connection/);
    screen.getByRole('textbox', { name: /Phone/ });
  });

  it('takes presses within three seconds for one', async () => {
    const page = await openLogin();
    let calls = 0;
    server.use(
      http.post('*/api/user/login', () => {
        calls += 1;
        return HttpResponse.json({ message: 'No' }, { status: 422 });
      }),
    );
    await askForCode(page);
    await screen.findByText('No');
    const button = screen.getByRole('button', { name: 'Get a code by SMS' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    await page.user.click(button);
    expect(calls).toBe(1);
  });

  it('begins with the phone that was typed elsewhere', async () => {
    await openLogin({ params: { typed: { phone: '+49 301 23456789', maskId: 1 } } });
    const phone = await screen.findByLabelText<HTMLInputElement>(/Phone/);
    expect(phone.value).toBe('+49 301 23456789');
  });

  it('offers the choice of a country where there are several', async () => {
    const page = await openLogin({ city: { phone_masks: twoMasks } });
    await page.user.selectOptions(await screen.findByLabelText('Country code'), '2');
    await page.user.click(screen.getByLabelText(/Phone/));
    await page.user.paste('0532 123 45 67');
    await page.user.click(screen.getByRole('button', { name: 'Get a code by SMS' }));
    await codeField();
    expect(page.asked[0]?.phone).toBe('905321234567');
  });
});

describe('the code step', () => {
  it('checks by itself at the last digit, says who is signed in and closes', async () => {
    const page = await openLogin();
    await askForCode(page);
    const field = await codeField();
    expect(field.inputMode).toBe('numeric');
    expect(field.autocomplete).toBe('one-time-code');
    await waitFor(() => expect(document.activeElement).toBe(field));
    await page.user.keyboard('1234');
    await screen.findByText('You are signed in');
    await screen.findByText('Hello Anna');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(page.codes).toEqual(['1234']);
    expect(JSON.parse(localStorage.getItem('user') ?? '').value).toEqual(user);
  });

  it('waits for changes of the cart that are on their way, which the sign-in would make fail', async () => {
    const page = await openLogin();
    const order: string[] = [];
    let answerChange: (() => void) | undefined;
    server.use(
      answer('put', '/cart/set-interval', async () => {
        await new Promise<void>((resolve) => {
          answerChange = resolve;
        });
        order.push('change');
        return { cart: makeCart([]) };
      }),
      answer('post', '/user/check-verification-code', () => {
        order.push('sign-in');
        return { user };
      }),
    );
    await askForCode(page);
    const field = await codeField();
    fireEvent.click(screen.getByText('No time'));
    await waitFor(() => expect(answerChange).toBeDefined());
    fireEvent.change(field, { target: { value: '1234' } });
    await waitFor(() => expect(field.getAttribute('aria-busy')).toBe('true'));
    answerChange?.();
    await screen.findByText('Hello Anna');
    expect(order).toEqual(['change', 'sign-in']);
  });

  it('takes a message that is pasted anywhere', async () => {
    const page = await openLogin();
    await askForCode(page);
    await codeField();
    const clipboardData = { getData: () => 'Umi 24: your code is 5678' };
    fireEvent.paste(document.body, { clipboardData });
    await screen.findByText('Hello Anna');
    expect(page.codes).toEqual(['5678']);
  });

  it('empties the field after a wrong code, keeps the words about it and the focus', async () => {
    const page = await openLogin();
    await askForCode(page);
    const field = await codeField();
    server.use(
      refuse('post', '/user/check-verification-code', 422, {
        message: 'Wrong',
        errors: { code: ['Wrong code. 4 tries left'] },
      }),
      answer('get', '/user/verification', () => ({
        user: { verification: makeVerification({ tries_left: 4 }) },
      })),
    );
    await page.user.type(field, '1111');
    await screen.findByText('Wrong code. 4 tries left');
    expect(field.value).toBe('');
    expect(document.activeElement).toBe(field);
    await page.user.keyboard('2');
    expect(screen.queryByText('Wrong code. 4 tries left')).toBeNull();
  });

  it('takes no more digits when no attempt is left', async () => {
    const page = await openLogin();
    await askForCode(page);
    const field = await codeField();
    server.use(
      refuse('post', '/user/check-verification-code', 422, {
        message: 'Dead',
        errors: { code: ['Ask for a new code'] },
      }),
    );
    await page.user.type(field, '1111');
    await screen.findByText('Ask for a new code');
    await waitFor(() => expect(field.disabled).toBe(true));
  });

  it('keeps the digits when the network fails, to be sent again', async () => {
    const page = await openLogin();
    await askForCode(page);
    const field = await codeField();
    let isOnline = false;
    server.use(
      http.post('*/api/user/check-verification-code', () =>
        isOnline ? HttpResponse.json({ user }) : HttpResponse.error(),
      ),
    );
    await page.user.type(field, '1234');
    await screen.findByText(/No connection/);
    expect(field.value).toBe('1234');
    isOnline = true;
    await page.user.click(screen.getByRole('button', { name: 'Sign in' }));
    await screen.findByText('Hello Anna');
  });

  it('offers another code, by call too, when the timer of the server has run down', async () => {
    const page = await openLogin({ verification: { timer: 0 } });
    await askForCode(page);
    await codeField();
    await page.user.click(await screen.findByRole('button', { name: 'Call me with a new code' }));
    await waitFor(() => expect(page.asked).toHaveLength(2));
    expect(page.asked[1]).toMatchObject({ phone: user.phone, notify_channel: 'call' });
  });

  it('goes back to the phone when the server finds it wrong', async () => {
    const page = await openLogin({ verification: { timer: 0 } });
    await askForCode(page);
    await codeField();
    server.use(
      refuse('post', '/user/login', 422, {
        message: 'Check the phone',
        errors: { phone: ['No such number'] },
      }),
    );
    await page.user.click(await screen.findByRole('button', { name: 'Call me with a new code' }));
    const problem = await screen.findByText('No such number');
    const phone = screen.getByLabelText<HTMLInputElement>(/Phone/);
    expect(phone.getAttribute('aria-describedby')).toBe(problem.id);
    expect(screen.queryByRole('textbox', { name: 'Code' })).toBeNull();
  });

  it('offers no other code while the timer runs, and lets the phone be changed', async () => {
    const page = await openLogin();
    await askForCode(page);
    await codeField();
    expect(screen.getByRole('timer').textContent).toBe('Another code in 1:00');
    expect(screen.queryByRole('button', { name: /new code/ })).toBeNull();
    await page.user.click(screen.getByRole('button', { name: 'Change the number' }));
    const phone = await screen.findByLabelText<HTMLInputElement>(/Phone/);
    expect(phone.value).toBe('+49 301 23456789');
    // It is the same phone: no other code is requested, the first one is still valid.
    await page.user.click(screen.getByRole('button', { name: 'Get a code by SMS' }));
    await codeField();
    expect(page.asked).toHaveLength(1);
  });

  it('says that a code could not be delivered', async () => {
    const page = await openLogin({ verification: { state: 'failed', timer: 0 } });
    await askForCode(page);
    await screen.findByText('The code could not be delivered');
    expect(screen.getByRole('button', { name: 'Call me with a new code' })).toBeTruthy();
  });

  it('is there again after a reload', async () => {
    writeInTab('login.asked', true);
    server.use(
      answer('get', '/user/check-session', () => ({ is_signed_in: false })),
      answer('get', '/user/verification', () => ({
        user: { verification: makeVerification() },
      })),
    );
    const site = makeSite({ is_auth_enabled: true, notification_channels: ['sms'] });
    renderInCity(<Greeting />, { data: makePageData({ site }) });
    act(() => void openModal('user-login'));
    await codeField();
  });
});

describe('after the sign-in', () => {
  it('an order goes on where it was begun', async () => {
    const page = await openLogin({ params: { intent: 'order' } });
    await askForCode(page);
    await page.user.type(await codeField(), '1234');
    // The window of the tests is as wide as a desktop.
    await waitFor(() => expect(page.places.at(-1)).toBe('/berlin/cart'));
  });

  it('the page that was asked for is shown', async () => {
    const page = await openLogin({ params: { intent: { uri: '/berlin/profile?tab=orders' } } });
    await askForCode(page);
    await page.user.type(await codeField(), '1234');
    await waitFor(() => expect(page.places.at(-1)).toBe('/berlin/profile?tab=orders'));
  });
});

it('a site without sign-in finds an order instead', async () => {
  renderInCity(<Greeting />);
  act(() => void openModal('user-login'));
  await screen.findByRole('dialog', { name: 'Where is my order' });
});
