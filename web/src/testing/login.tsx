import { act, screen } from '@testing-library/react';
import type { Schema } from '@/api/types';
import { useSetInterval } from '@/entities/cart/set-interval';
import type { SignInParams } from '@/entities/session/require-sign-in';
import { useUser } from '@/entities/session/session';
import { makeCity, makePageData, makeSite } from '@/testing/fixtures';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
import { openModal } from '@/ui/modals/modal-store';

export const user = { id: 1, phone: '4930123456789', name: 'Anna' };

export const makeVerification = (
  own: Partial<Schema<'Verification'>> = {},
): Schema<'Verification'> => ({
  timer: 60,
  expires_in: 300,
  code_length: 4,
  tries_left: 5,
  channel: 'sms',
  channels: ['sms', 'call'],
  phone: user.phone,
  state: 'sent',
  ...own,
});

export type Sent = { phone: string; notify_channel: string; captcha_user_token?: string };

interface Given {
  site?: Partial<Schema<'Site'>>;
  city?: Partial<Schema<'City'>>;
  params?: SignInParams;
  verification?: Partial<Schema<'Verification'>>;
}

/** Says who is signed in. */
export function Greeting() {
  const known = useUser().user;
  return <p>{known ? `Hello ${known.name}` : 'Hello stranger'}</p>;
}

/** A button that removes the chosen time from the cart. */
function NoTimeButton() {
  const setInterval = useSetInterval();
  return (
    <button type="button" onClick={() => setInterval(undefined)}>
      No time
    </button>
  );
}

/** Opens the dialog over a page; returns the page, the requests for codes and the visited places. */
export async function openLogin({ site, city, params = {}, verification }: Given = {}) {
  const asked: Sent[] = [];
  const codes: string[] = [];
  server.use(
    answer('get', '/user/check-session', () => ({ is_signed_in: false })),
    answer('get', '/user/verification', () => ({ user: {} })),
    answer('post', '/user/login', async ({ request }) => {
      asked.push((await request.json()) as Sent);
      return { user: { verification: makeVerification(verification) } };
    }),
    answer('post', '/user/check-verification-code', async ({ request }) => {
      codes.push(((await request.json()) as { code: string }).code);
      return { user };
    }),
  );
  const data = makePageData({
    city: makeCity(city),
    site: makeSite({
      is_auth_enabled: true,
      notification_channels: ['sms', 'call'],
      ...site,
    }),
  });
  const page = renderInCity(
    <>
      <Greeting />
      <NoTimeButton />
    </>,
    { data },
  );
  act(() => void openModal('user-login', params));
  await screen.findByRole('dialog');
  return { ...page, asked, codes };
}

/** Requests a code by SMS, and returns when its button was pressed, in milliseconds of the page. */
export async function askForCode(page: Awaited<ReturnType<typeof openLogin>>) {
  await page.user.click(await screen.findByLabelText(/Phone/));
  await page.user.paste('030 123456789');
  const pressedAt = performance.now();
  await page.user.click(screen.getByRole('button', { name: 'Get a code by SMS' }));
  return pressedAt;
}

export const codeField = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Code' });
