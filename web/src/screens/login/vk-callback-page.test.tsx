import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { writeInTab } from '@/lib/storage';
import { makePageData } from '@/testing/fixtures';
import { renderInCity } from '@/testing/render';
import { answer, refuse, server } from '@/testing/server';
import { VkCallbackPage } from './vk-callback-page';

const user = { id: 1, phone: '4930123456789', name: 'Anna' };
const data = makePageData({ path: '/auth/vk/callback' });

beforeEach(() => {
  history.replaceState(null, '', '/auth/vk/callback?code=c&state=s&device_id=d&type=code_v2');
  writeInTab('login.vk', { from: '/berlin/promotions' });
});

it('finishes with what VK said, takes it out of the address and goes back to the page', async () => {
  const sent: unknown[] = [];
  server.use(
    answer('post', '/user/vk/callback', async ({ request }) => {
      sent.push(await request.json());
      expect(location.search).toBe('');
      return { phone_required: false, user };
    }),
  );
  const { places } = renderInCity(<VkCallbackPage />, { data });
  await waitFor(() => expect(places.at(-1)).toBe('/berlin/promotions'));
  expect(sent).toEqual([{ code: 'c', state: 's', device_id: 'd' }]);
  await screen.findByText('You are signed in');
  expect(localStorage.getItem('user')).toContain(user.phone);
});

it('an order goes on in the city where it was begun', async () => {
  writeInTab('login.vk', { from: '/berlin', intent: 'order' });
  server.use(answer('post', '/user/vk/callback', () => ({ phone_required: false, user })));
  const { places } = renderInCity(<VkCallbackPage />, { data });
  // The window of the tests is as wide as a desktop.
  await waitFor(() => expect(places.at(-1)).toBe('/berlin/cart'));
});

it('a VK account without a phone leads to the phone step', async () => {
  server.use(answer('post', '/user/vk/callback', () => ({ phone_required: true })));
  const { places } = renderInCity(<VkCallbackPage />, { data });
  await waitFor(() =>
    expect(places.at(-1)).toBe('/berlin/promotions?modal=user-login&reason=phone'),
  );
});

it('a refusal says why and shows two ways on', async () => {
  server.use(refuse('post', '/user/vk/callback', 422, { message: 'Too late' }));
  renderInCity(<VkCallbackPage />, { data });
  await screen.findByText('Too late');
  const again = screen.getByRole('link', { name: 'Sign in another way' });
  expect(again.getAttribute('href')).toBe('/berlin/promotions?modal=user-login');
  expect(screen.getByRole('link', { name: 'Back' }).getAttribute('href')).toBe(
    '/berlin/promotions',
  );
});

it('a visitor who has refused at VK is not signed in, and the server is not called', async () => {
  history.replaceState(null, '', '/auth/vk/callback?error=access_denied&state=s');
  renderInCity(<VkCallbackPage />, { data });
  await screen.findByRole('heading', { name: 'Signing in by VK did not work' });
});
