import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it } from 'vitest';
import { makePageData } from '@/testing/fixtures';
import { renderInCity } from '@/testing/render';
import { answer, refuse, server } from '@/testing/server';
import { SignInLinkPage } from './sign-in-link-page';

const user = { id: 1, phone: '4930123456', name: 'Anna' };
const data = makePageData({ path: '/auth/link' });

beforeEach(() => {
  location.hash = '#secret';
  // biome-ignore lint/suspicious/noDocumentCookie: what the page keeps of the last visit
  document.cookie = 'city_alias=berlin; Path=/';
});

it('a link signs in once, leaves the address at once and leads to the city', async () => {
  const tokens: string[] = [];
  server.use(
    answer('post', '/user/sign-in', async ({ request }) => {
      tokens.push(((await request.json()) as { token: string }).token);
      expect(location.hash).toBe('');
      return { user };
    }),
  );
  const { places } = renderInCity(<SignInLinkPage />, { data });
  await waitFor(() => expect(places.at(-1)).toBe('/berlin'));
  expect(tokens).toEqual(['secret']);
  await screen.findByText('You are signed in');
});

it('a link that is used up says so and how to go on', async () => {
  server.use(refuse('post', '/user/sign-in', 422, { message: 'Used' }));
  renderInCity(<SignInLinkPage />, { data });
  await screen.findByRole('heading', { name: 'This link cannot be used any more' });
  expect(screen.getByRole('link', { name: 'To the menu' }).getAttribute('href')).toBe('/berlin');
});

it('a lost answer can be asked for again with the same link', async () => {
  let isOnline = false;
  const keys: (string | null)[] = [];
  server.use(
    http.post('*/api/user/sign-in', ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return isOnline ? HttpResponse.json({ user }) : HttpResponse.error();
    }),
  );
  const page = renderInCity(<SignInLinkPage />, { data });
  const again = await screen.findByRole('button', { name: 'Try again' });
  isOnline = true;
  await page.user.click(again);
  await waitFor(() => expect(page.places.at(-1)).toBe('/berlin'));
  // By its key the server knows the page that has used the link.
  expect(keys).toEqual([expect.stringMatching(/^.{32,64}$/), keys[0]]);
});
