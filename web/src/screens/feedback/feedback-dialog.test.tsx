import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { keys } from '@/api/keys';
import type { Schema } from '@/api/types';
import { writeContact } from '@/entities/contact/contact';
import { writeLastOrder } from '@/entities/order/last-order';
import { makeCity, makePageData, makeSite } from '@/testing/fixtures';
import { renderInCity } from '@/testing/render';
import { answer, refuse, server } from '@/testing/server';
import { makeUser } from '@/testing/users';
import { openModal } from '@/ui/modals/modal-store';
// Loads the chunk beforehand, which may take longer than a dialog is waited for.
import './feedback-dialog';
import type { FormKind } from './form-rules';

const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });

async function openForm(kind: FormKind, customer?: Schema<'User'>) {
  const site = makeSite({ is_auth_enabled: Boolean(customer) });
  const city = makeCity({ pages: [{ alias: 'privacy-policy', title: 'Privacy policy' }] });
  const result = renderInCity(null, { data: makePageData({ city, site }) });
  if (customer) result.client.setQueryData(keys.session(), customer);
  act(() => void openModal(kind));
  const dialog = await screen.findByRole('dialog');
  const send = () => result.user.click(screen.getByRole('button', { name: 'Send' }));
  return { ...result, dialog, send };
}

/** Opens the form for questions, fills it in without sending, and returns the page. */
async function askQuestion() {
  const opened = await openForm('feedback');
  const { user } = opened;
  await user.type(field('Your name'), 'Ada');
  await user.type(field('Phone'), '3012345678');
  await user.type(field('E-mail'), 'ada@example.org');
  await user.type(field('Your message'), 'Do you deliver to the lake?');
  await user.click(screen.getByRole('checkbox', { name: /I agree/ }));
  return opened;
}

describe('a form', () => {
  it('says at each field what is missing, and links the policy', async () => {
    const { send } = await openForm('landlord');
    await send();
    expect(await screen.findByText('Tell us your name')).toBeTruthy();
    expect(document.activeElement).toBe(field('Your name'));
    expect(screen.getAllByText('Fill in this field')).toHaveLength(3);
    const box = screen.getByRole('checkbox', { name: /I agree/ });
    expect(box.getAttribute('aria-invalid')).toBe('true');
    const policy = screen.getByRole('link', { name: /Privacy policy/ });
    expect(policy.getAttribute('href')).toBe('/berlin/privacy-policy');
    expect(policy.getAttribute('target')).toBe('_blank');
  });

  it('sends what was typed, thanks and leads the focus there', async () => {
    let sent: unknown;
    server.use(
      answer('post', '/feedback/questions', async ({ request }) => {
        sent = await request.json();
        return {};
      }),
    );
    const { send, user } = await askQuestion();
    await send();
    expect(await screen.findByRole('heading', { name: 'Thank you' })).toBeTruthy();
    expect(sent).toEqual({
      city_id: 1,
      name: 'Ada',
      phone: '493012345678',
      email: 'ada@example.org',
      message: 'Do you deliver to the lake?',
      is_agreed: true,
    });
    expect(document.activeElement?.textContent).toContain('ada@example.org');
    const [, close] = screen.getAllByRole('button', { name: 'Close' });
    if (close) await user.click(close);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('of a supplier sends the company and what it supplies, and thanks', async () => {
    let sent: unknown;
    server.use(
      answer('post', '/feedback/supplier-request', async ({ request }) => {
        sent = await request.json();
        return {};
      }),
    );
    const { send, user } = await openForm('supplier');
    await user.type(field('Your name'), 'Ada');
    await user.type(field('Phone'), '3012345678');
    await user.type(field('City'), 'Berlin');
    await user.type(field('Company'), 'Ada Fish');
    await user.type(field('What you supply'), 'Salmon');
    await user.click(screen.getByRole('checkbox', { name: /I agree/ }));
    await send();
    expect(await screen.findByRole('heading', { name: 'Thank you' })).toBeTruthy();
    screen.getByText(/We have got your offer. Our buyer will look at it/);
    expect(sent).toEqual({
      city_id: 1,
      name: 'Ada',
      phone: '493012345678',
      city_name: 'Berlin',
      company: 'Ada Fish',
      product_category: 'Salmon',
      is_agreed: true,
    });
  });

  it('shows what the server refuses at the fields and keeps what was typed', async () => {
    const errors = { email: ['No such address'], is_agreed: ['We need your consent'] };
    server.use(refuse('post', '/feedback/questions', 422, { message: 'Check', errors }));
    const { send } = await askQuestion();
    await send();
    expect(await screen.findByText('No such address')).toBeTruthy();
    expect(screen.getByText('We need your consent')).toBeTruthy();
    expect(document.activeElement).toBe(field('E-mail'));
    expect(field('Your message').value).toBe('Do you deliver to the lake?');
  });

  it('says that too many were sent, until the next press', async () => {
    const refusal = { message: 'You have sent several requests already' };
    server.use(refuse('post', '/feedback/questions', 429, refusal));
    const { send } = await askQuestion();
    await send();
    expect((await screen.findByRole('alert')).textContent).toContain(refusal.message);
    expect(field('Your name').value).toBe('Ada');
    server.use(answer('post', '/feedback/questions', () => ({})));
    await send();
    expect(await screen.findByRole('heading', { name: 'Thank you' })).toBeTruthy();
  });

  it('whose answer is lost is sent again by itself, once for the brand, and thanked for', async () => {
    const sentKeys = new Set<string | null>();
    let calls = 0;
    server.use(
      http.post('*/api/feedback/questions', ({ request }) => {
        calls += 1;
        sentKeys.add(request.headers.get('Idempotency-Key'));
        return calls === 1 ? HttpResponse.error() : HttpResponse.json({});
      }),
    );
    const { send } = await askQuestion();
    await send();
    const thanks = { name: 'Thank you' };
    expect(await screen.findByRole('heading', thanks, { timeout: 3000 })).toBeTruthy();
    expect({ calls, keys: sentKeys.size }).toEqual({ calls: 2, keys: 1 });
  });

  it('is sent again under the same key until its contents change', async () => {
    const sentKeys: (string | null)[] = [];
    server.use(
      http.post('*/api/feedback/questions', ({ request }) => {
        sentKeys.push(request.headers.get('Idempotency-Key'));
        return HttpResponse.json({ message: 'Busy' }, { status: 503 });
      }),
    );
    const { send, user } = await askQuestion();
    await send();
    await waitFor(() => expect(sentKeys).toHaveLength(1));
    await send();
    await waitFor(() => expect(sentKeys).toHaveLength(2));
    await user.type(field('Your name'), ' L.');
    await send();
    await waitFor(() => expect(sentKeys).toHaveLength(3));
    expect(sentKeys[0]).toBe(sentKeys[1]);
    expect(sentKeys[2]).not.toBe(sentKeys[0]);
  });

  it('begins with the contact of the last order, and with its number', async () => {
    writeContact({ username: 'Ada', phone: '+49 301 2345678', maskId: 1 });
    writeLastOrder({ orderId: 42, cityAlias: 'berlin' });
    await openForm('return-request');
    expect(field('Your name').value).toBe('Ada');
    expect(field('Phone').value).toBe('+49 301 2345678');
    expect(field('Order number').value).toBe('42');
  });

  describe('of a signed-in customer', () => {
    const email = 'anna@example.org';
    const openSignedIn = () => {
      const user = makeUser({ email, phone: '493012345678' });
      server.use(
        answer('get', '/user/check-session', () => ({ is_signed_in: true, user })),
        answer('get', '/user/get', () => ({ user })),
      );
      return openForm('feedback', user);
    };

    it('begins with the name, phone and e-mail of the profile', async () => {
      await openSignedIn();
      await waitFor(() => expect(field('E-mail').value).toBe(email));
      expect(field('Your name').value).toBe('Anna');
      expect(field('Phone').value).toBe('+49 301 2345678');
    });

    it('keeps an e-mail that was typed or removed', async () => {
      const { user } = await openSignedIn();
      await waitFor(() => expect(field('E-mail').value).toBe(email));
      await user.clear(field('E-mail'));
      await user.type(field('Your name'), ' L.');
      expect(field('E-mail').value).toBe('');
    });
  });
});
