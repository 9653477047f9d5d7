import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, it, vi } from 'vitest';
import { writeInTab, writeStored } from '@/lib/storage';
import { makePageData, makeSite } from '@/testing/fixtures';
import { renderInCity } from '@/testing/render';
import { answer, refuse, server } from '@/testing/server';
import { useUser } from './session';
import { useSignOut } from './sign-out';

const user = { id: 1, phone: '4930123456789', name: 'Anna' };
const data = makePageData({ site: makeSite({ is_auth_enabled: true }) });

function SignOut() {
  const known = useUser().user;
  const { signOut } = useSignOut();
  return (
    <button type="button" onClick={() => signOut()}>
      {known ? `Sign ${known.name} out` : 'Nobody'}
    </button>
  );
}

it('signing out removes the customer from the device and goes to the city', async () => {
  const leave = vi.spyOn(location, 'replace').mockImplementation(() => undefined);
  server.use(
    answer('get', '/user/check-session', () => ({ is_signed_in: true, user })),
    answer('delete', '/user/logout', () => ({})),
  );
  writeStored('contact', { username: 'Anna', phone: '1', maskId: 1 });
  writeStored('avoided-allergens', ['fish']);
  writeInTab('checkout.1', { values: {} });
  const page = renderInCity(<SignOut />, { data });
  const button = await screen.findByText('Sign Anna out');
  await waitFor(() => expect(localStorage.getItem('user')).toContain(user.phone));
  await page.user.click(button);
  await screen.findByText('Nobody');
  expect(leave).toHaveBeenCalledWith('/berlin');
  // Only the moment of the sign-out is stored, for the other tabs.
  expect(Object.keys(localStorage).sort()).toEqual(['avoided-allergens', 'left']);
  expect(Object.keys(sessionStorage)).toEqual(['left']);
});

it('a sign-out whose answer was lost is sent again, and the customer leaves', async () => {
  const leave = vi.spyOn(location, 'replace').mockImplementation(() => undefined);
  let calls = 0;
  server.use(
    answer('get', '/user/check-session', () => ({ is_signed_in: true, user })),
    http.delete('*/api/user/logout', () => {
      calls += 1;
      return calls === 1 ? HttpResponse.error() : HttpResponse.json({});
    }),
  );
  const page = renderInCity(<SignOut />, { data });
  await page.user.click(await screen.findByText('Sign Anna out'));
  await screen.findByText('Nobody', {}, { timeout: 3000 });
  expect(leave).toHaveBeenCalledWith('/berlin');
});

it('a customer who could not be signed out stays signed in and is shown why', async () => {
  server.use(
    answer('get', '/user/check-session', () => ({ is_signed_in: true, user })),
    refuse('delete', '/user/logout', 503, { message: 'Busy' }),
  );
  const page = renderInCity(<SignOut />, { data });
  await page.user.click(await screen.findByText('Sign Anna out'));
  await screen.findByText('Busy');
  expect(screen.getByText('Sign Anna out')).toBeTruthy();
});

it('the customer of the last visit is greeted before the server has said so', async () => {
  writeStored('user', user);
  let isAsked = false;
  server.use(
    answer('get', '/user/check-session', () => {
      isAsked = true;
      return { is_signed_in: false };
    }),
  );
  renderInCity(<SignOut />, { data });
  expect(screen.getByText('Sign Anna out')).toBeTruthy();
  // Their session has ended.
  await screen.findByText('Nobody');
  expect(isAsked).toBe(true);
  expect(localStorage.getItem('user')).toBeNull();
});

it('the session is not loaded where the site has no sign-in', () => {
  renderInCity(<SignOut />);
  expect(screen.getByText('Nobody')).toBeTruthy();
});
