import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Schema } from '@/api/types';
import { makeCity, makePageData, makeSite } from '@/testing/fixtures';
import { renderInCity } from '@/testing/render';
import { answer, refuse, server } from '@/testing/server';
import { makeUser, makeUserSession } from '@/testing/users';
// Loaded before the clock of the first test starts.
import './own-data/confirm-delete-account';
import { userQuery } from '@/entities/session/queries';
import { PersonalTab } from './personal-tab';

const data = makePageData({
  city: makeCity({ bonus_programme: { percent: 5, is_accruing: true, is_spendable: true } }),
  site: makeSite({ is_auth_enabled: true }),
});

/** The bodies of the calls that change the profile. */
let sent: Schema<'UserUpdate'>[];

function openPersonalTab(user = makeUser()) {
  server.use(answer('get', '/user/get', () => ({ user })));
  return renderInCity(<PersonalTab />, { data });
}

beforeEach(() => {
  sent = [];
  server.use(
    answer('get', '/user/sessions', () => ({ sessions: [makeUserSession()] })),
    answer('get', '/user/balance', () => ({ balance: 0, balances: [] })),
    answer('put', '/user/update', async ({ request }) => {
      const body = (await request.json()) as Schema<'UserUpdate'>;
      sent.push(body);
      const { name, birthday, email } = body;
      return { user: makeUser({ name, birthday, email }) };
    }),
  );
});

describe('the personal data', () => {
  it('shows the phone to be read, and ticks or presets nothing', async () => {
    openPersonalTab();
    const phone = await screen.findByLabelText<HTMLInputElement>('Phone');
    expect(phone.value).toBe('+49 301 23456');
    expect(phone.readOnly).toBe(true);
    for (const radio of screen.getAllByRole<HTMLInputElement>('radio')) {
      expect(radio.checked).toBe(false);
    }
    const news = screen.getByRole<HTMLInputElement>('checkbox', { name: /news/ });
    expect(news.checked).toBe(false);
  });

  it('sends what was changed, the consent with the version of its text', async () => {
    const { user } = openPersonalTab();
    await user.type(await screen.findByLabelText('Birthday'), '1.5.1990');
    await user.click(screen.getByRole('radio', { name: 'Female' }));
    await user.click(screen.getByRole('checkbox', { name: /news/ }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Your data is saved');
    expect(sent).toEqual([
      {
        city_id: 1,
        name: 'Anna',
        sex: 'female',
        birthday: '01.05.1990',
        is_subscribed: true,
        consent_versions: { news: '2' },
      },
    ]);
  });

  it('sends nothing while a field is wrong, and says how to correct it', async () => {
    const { user } = openPersonalTab();
    const name = await screen.findByLabelText(/Your name/);
    await user.clear(name);
    await user.type(screen.getByLabelText('Birthday'), '31061990');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Tell us your name');
    screen.getByText('There is no such day. Enter day, month and year');
    expect(document.activeElement).toBe(name);
    expect(sent).toEqual([]);
  });

  it('shows what the server refuses under its field', async () => {
    const { user } = openPersonalTab();
    server.use(
      refuse('put', '/user/update', 422, {
        message: 'Look at the fields',
        errors: { email: ['We cannot write to this address'], phone: ['It stays as it is'] },
      }),
    );
    await user.type(await screen.findByLabelText('E-mail'), 'a@example.org');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('We cannot write to this address');
    screen.getByText('It stays as it is');
  });

  it('keeps what was typed when it is read again, as another language does', async () => {
    const { user, client } = openPersonalTab();
    await user.type(await screen.findByLabelText('E-mail'), 'a@example.org');
    server.use(answer('get', '/user/get', () => ({ user: makeUser({ name: 'Anna-Lena' }) })));
    await client.invalidateQueries({ queryKey: userQuery().queryKey });
    await screen.findByDisplayValue('Anna-Lena');
    screen.getByDisplayValue('a@example.org');
  });

  it('keeps what was typed while it was saved, which the next press sends alone', async () => {
    const { user } = openPersonalTab();
    let answerNow = () => {};
    const asked = new Promise<void>((resolve) => {
      answerNow = resolve;
    });
    server.use(
      answer('put', '/user/update', async ({ request }) => {
        const body = (await request.json()) as Schema<'UserUpdate'>;
        sent.push(body);
        await asked;
        return { user: makeUser({ name: 'Anna-Lena', is_subscribed: true, email: body.email }) };
      }),
    );
    const name = await screen.findByLabelText<HTMLInputElement>(/Your name/);
    const email = screen.getByLabelText<HTMLInputElement>('E-mail');
    await user.type(name, '-Lena ');
    await user.click(screen.getByRole('checkbox', { name: /news/ }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    await user.type(email, 'a@example.org');
    answerNow();
    await screen.findByText('Your data is saved');
    expect(name.value).toBe('Anna-Lena');
    expect(email.value).toBe('a@example.org');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toEqual({ city_id: 1, name: 'Anna-Lena', email: 'a@example.org' });
  });

  it('can be read again when it did not load', async () => {
    server.use(refuse('get', '/user/get', 500, { message: 'broken' }));
    const { user } = renderInCity(<PersonalTab />, { data });
    await screen.findByText('Your data did not load. It is safe.');
    server.use(answer('get', '/user/get', () => ({ user: makeUser() })));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByDisplayValue('Anna');
  });
});

describe('bonuses', () => {
  it('are shown with their history, where the brand has a programme', async () => {
    server.use(
      answer('get', '/user/balance', () => ({
        balance: 0,
        balances: [
          {
            currency: 'EUR',
            balance: 30,
            history: [
              { at: '2026-11-20T10:00:00Z', amount: -12.5, text: 'Order 40317', order_id: 40317 },
              { at: '2026-11-19T10:00:00Z', amount: 42.5, text: 'A greeting' },
            ],
          },
        ],
      })),
    );
    openPersonalTab(makeUser({ is_bonus_programme: true }));
    await screen.findByText('30 B');
    screen.getByText('−12.50 B');
    screen.getByText('A greeting');
    expect(screen.getByRole('link', { name: 'Order 40317' }).getAttribute('href')).toBe(
      '/berlin/order/40317/tracking',
    );
    expect(screen.queryByText(/for orders in/)).toBeNull();
  });

  it('are not shown where there is no programme', async () => {
    openPersonalTab();
    await screen.findByDisplayValue('Anna');
    expect(screen.queryByRole('heading', { name: 'Bonuses' })).toBeNull();
  });
});

describe('the devices', () => {
  const here = makeUserSession();
  const phone = makeUserSession({ id: 2, is_current: false, device: 'Safari, iPhone' });
  const other = makeUserSession({ id: 3, is_current: false, device: '' });

  it('can be signed out of one by one, but for this one', async () => {
    server.use(
      answer('get', '/user/sessions', () => ({ sessions: [here, phone] })),
      answer('delete', '/user/sessions/{id}', ({ params }) => {
        expect(params.id).toBe('2');
        return { sessions: [here] };
      }),
    );
    const { user } = openPersonalTab();
    await user.click(await screen.findByRole('button', { name: 'Sign out of Safari, iPhone' }));
    await waitFor(() => expect(screen.queryByText('Safari, iPhone')).toBeNull());
    const list = within(screen.getByRole('region', { name: 'Where you are signed in' }));
    expect(list.queryByRole('button')).toBeNull();
  });

  it('leave the list although the answer to the sign-out was lost', async () => {
    server.use(answer('get', '/user/sessions', () => ({ sessions: [here, phone] })));
    const { user } = openPersonalTab();
    const signOut = await screen.findByRole('button', { name: 'Sign out of Safari, iPhone' });
    let calls = 0;
    server.use(
      answer('get', '/user/sessions', () => ({ sessions: [here] })),
      http.delete('*/api/user/sessions/2', () => {
        calls += 1;
        return calls === 1
          ? HttpResponse.error()
          : HttpResponse.json({ message: 'It has ended already' }, { status: 404 });
      }),
    );
    await user.click(signOut);
    await screen.findByText('It has ended already', undefined, { timeout: 3000 });
    await waitFor(() => expect(screen.queryByText('Safari, iPhone')).toBeNull());
  });

  it('can be signed out of all at once', async () => {
    server.use(
      answer('get', '/user/sessions', () => ({ sessions: [here, phone, other] })),
      answer('delete', '/user/sessions', () => ({ sessions: [here] })),
    );
    const { user } = openPersonalTab();
    await screen.findByText('Unknown device');
    await user.click(screen.getByRole('button', { name: 'Sign out everywhere else' }));
    await waitFor(() => expect(screen.queryByText('Unknown device')).toBeNull());
    screen.getByText('Chrome, Android');
  });
});

describe('the own data', () => {
  it('comes as a file named by the site and the day', async () => {
    const names: string[] = [];
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:test');
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
      this: HTMLAnchorElement,
    ) {
      names.push(this.download);
    });
    server.use(
      answer('get', '/user/export', () => ({
        exported_at: '2026-11-21T18:00:00Z',
        site: 'sushi',
        user: makeUser(),
        vk_accounts: [],
        delivery_addresses: [],
        delivery_wishes: [],
        forms: [],
        carts: [],
        orders: [],
        balances: [],
        presents: [],
        sessions: [],
        consents: [],
        payments: [],
      })),
    );
    const { user } = openPersonalTab();
    await user.click(screen.getByRole('button', { name: 'Download my data' }));
    await screen.findByText('The file is among your downloads');
    expect(names).toEqual(['sushi-2026-11-21.json']);
  });
});

describe('the end of the account', () => {
  const ask = async () => {
    const { user } = openPersonalTab();
    await user.click(screen.getByRole('button', { name: 'Delete the account' }));
    await screen.findByRole('dialog', { name: 'Delete the account?' });
    return user;
  };

  it('says what is deleted and what is kept, and can be canceled', async () => {
    const user = await ask();
    screen.getByText(/bonuses and gifts: they expire/);
    screen.getByText(/Your orders stay in our books/);
    await user.click(screen.getByRole('button', { name: 'Keep it' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('is refused with the reason while an order is running', async () => {
    const message = 'Your order 40317 is being cooked. Delete the account when it is done.';
    server.use(refuse('delete', '/user/remove', 409, { message }));
    const user = await ask();
    await user.click(screen.getByRole('button', { name: 'Delete for good' }));
    await screen.findByText(message);
    screen.getByRole('dialog', { name: 'Delete the account?' });
    expect(screen.queryByRole('button', { name: 'Delete for good' })).toBeNull();
    const orders = screen.getByRole('link', { name: 'To my orders' });
    expect(orders.getAttribute('href')).toBe('/berlin/profile?tab=orders');
  });

  it('is confirmed, and then nothing of the customer stays on the page', async () => {
    const replace = vi.spyOn(location, 'replace').mockImplementation(() => undefined);
    server.use(answer('delete', '/user/remove', () => ({})));
    const user = await ask();
    await user.click(screen.getByRole('button', { name: 'Delete for good' }));
    await screen.findByRole('dialog', { name: 'The account is deleted' });
    expect(replace).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'To the menu' }));
    await waitFor(() => expect(replace).toHaveBeenCalledWith('/berlin'));
  });

  it('is confirmed although the answer was lost, when nobody is signed in any more', async () => {
    let calls = 0;
    server.use(
      answer('get', '/user/check-session', () => ({ is_signed_in: false })),
      http.delete('*/api/user/remove', () => {
        calls += 1;
        return calls === 1
          ? HttpResponse.error()
          : HttpResponse.json({ message: 'Sign in' }, { status: 401 });
      }),
    );
    const user = await ask();
    await user.click(screen.getByRole('button', { name: 'Delete for good' }));
    await screen.findByRole('dialog', { name: 'The account is deleted' }, { timeout: 3000 });
  });

  it('is asked for again when the call was lost and the customer is still signed in', async () => {
    let calls = 0;
    server.use(
      answer('get', '/user/check-session', () => ({ is_signed_in: true, user: makeUser() })),
      http.delete('*/api/user/remove', () => {
        calls += 1;
        return calls === 1 ? HttpResponse.error() : HttpResponse.json({});
      }),
    );
    const user = await ask();
    await user.click(screen.getByRole('button', { name: 'Delete for good' }));
    await screen.findByRole('dialog', { name: 'The account is deleted' }, { timeout: 3000 });
    expect(calls).toBe(2);
  });
});
