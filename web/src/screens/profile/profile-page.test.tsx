import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Route } from 'wouter';
import type { Schema } from '@/api/types';
import { makeCart, makeCity, makePageData, makeSite } from '@/testing/fixtures';
import { renderInCity } from '@/testing/render';
import { answer, refuse, server } from '@/testing/server';
import { makeUser, makeUserSession } from '@/testing/users';
import { closeAllModals, modals } from '@/ui/modals/modal-store';
import { ProfilePage } from './profile-page';

const site = makeSite({ is_auth_enabled: true, notification_channels: ['sms'] });

interface Given {
  at?: string;
  user?: Schema<'User'> | null;
  page?: Partial<Schema<'PageData'>>;
}

function openProfile({ at = '/berlin/profile', user = makeUser(), page }: Given = {}) {
  server.use(
    answer('get', '/user/check-session', () => ({
      is_signed_in: user !== null,
      user: user ?? undefined,
    })),
  );
  if (user) server.use(answer('get', '/user/get', () => ({ user })));
  return renderInCity(
    <Route path="/:city/profile">
      <ProfilePage />
    </Route>,
    { data: makePageData({ path: at, site, ...page }) },
  );
}

/** Returns the strip of tabs on phones; the side list on desktop has the same entries. */
const strip = async () => within((await screen.findAllByRole('navigation'))[0] as HTMLElement);

beforeEach(() => {
  server.use(
    answer('put', '/cart', () => ({ cart: makeCart() })),
    answer('get', '/user/sessions', () => ({ sessions: [makeUserSession()] })),
    answer('get', '/user/balance', () => ({ balance: 0, balances: [] })),
    answer('get', '/user/orders', () => ({ orders: [], page: 1, pages: 0, total: 0 })),
    answer('get', '/user/addresses', () => ({ delivery_addresses: [] })),
  );
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});

describe('the profile', () => {
  it('asks a guest to sign in, and shows a page behind the dialog', async () => {
    openProfile({ user: null, at: '/berlin/profile?tab=orders' });
    await screen.findByRole('heading', { level: 1, name: 'Sign in to see your profile' });
    await waitFor(() =>
      expect(modals.get().defaults).toMatchObject([
        { name: 'user-login', params: { intent: { uri: '/berlin/profile?tab=orders' } } },
      ]),
    );
    closeAllModals();
  });

  it('finds orders where there are no accounts', async () => {
    openProfile({ user: null, page: { site: makeSite() } });
    await screen.findByRole('heading', { level: 1, name: 'You order here without an account' });
    expect(modals.get().defaults).toMatchObject([{ name: 'order-status' }]);
  });

  it('shows the tab of the address', async () => {
    openProfile({ at: '/berlin/profile?tab=orders' });
    await screen.findByRole('heading', { level: 1, name: 'Orders' });
    expect(await screen.findByText('You have no orders yet')).toBeTruthy();
  });

  it('goes to another tab by the address and begins it at its top', async () => {
    const { user, places } = openProfile();
    await user.click((await strip()).getByRole('link', { name: 'Addresses' }));
    await screen.findByRole('heading', { level: 1, name: 'Addresses' });
    expect(places.at(-1)).toBe('/berlin/profile?tab=addresses');
    expect(scrollTo).toHaveBeenCalledWith({ top: 0, behavior: 'instant' });
  });

  it('has no addresses where the city does not deliver', async () => {
    const city = makeCity({ order_types: { delivery: false, takeaway: true } });
    openProfile({ at: '/berlin/profile?tab=addresses', page: { city } });
    await screen.findByRole('heading', { level: 1, name: 'Profile' });
    expect((await strip()).queryByRole('link', { name: 'Addresses' })).toBeNull();
  });

  it('reads the customer again when their tab is chosen', async () => {
    const { user } = openProfile();
    await screen.findByDisplayValue('Anna');
    server.use(answer('get', '/user/get', () => ({ user: makeUser({ name: 'Anna-Lena' }) })));
    await user.click((await strip()).getByRole('link', { name: 'Profile' }));
    await screen.findByDisplayValue('Anna-Lena');
  });

  it('turns into a guest’s when the session was ended elsewhere', async () => {
    const { user } = openProfile();
    await screen.findByDisplayValue('Anna');
    server.use(
      refuse('get', '/user/orders', 401, { message: 'Sign in' }),
      answer('get', '/user/check-session', () => ({ is_signed_in: false })),
    );
    await user.click((await strip()).getByRole('link', { name: 'Orders' }));
    await screen.findByRole('heading', { level: 1, name: 'Sign in to see your profile' });
    screen.getByText('You were signed out on this device. Sign in again.');
  });

  it('reports an ended session in place of what a guest’s call was refused with', async () => {
    server.use(
      answer('get', '/user/sessions', () => ({
        sessions: [makeUserSession(), makeUserSession({ id: 2, is_current: false, device: 'Tab' })],
      })),
    );
    const { user } = openProfile();
    const out = await screen.findByRole('button', { name: 'Sign out of Tab' });
    server.use(
      refuse('delete', '/user/sessions/{id}', 404, { message: 'There is no such page' }),
      answer('get', '/user/check-session', () => ({ is_signed_in: false })),
    );
    await user.click(out);
    await screen.findByRole('heading', { level: 1, name: 'Sign in to see your profile' });
    screen.getByText('You were signed out on this device. Sign in again.');
    expect(screen.queryByText('There is no such page')).toBeNull();
  });

  it('says what a call was refused with while the customer is signed in', async () => {
    server.use(
      answer('get', '/user/sessions', () => ({
        sessions: [makeUserSession(), makeUserSession({ id: 2, is_current: false, device: 'Tab' })],
      })),
    );
    const { user } = openProfile();
    const out = await screen.findByRole('button', { name: 'Sign out of Tab' });
    server.use(
      refuse('delete', '/user/sessions/{id}', 404, { message: 'It has ended already' }),
      answer('get', '/user/check-session', () => ({ is_signed_in: true, user: makeUser() })),
    );
    await user.click(out);
    await screen.findByText('It has ended already');
    screen.getByRole('heading', { level: 1, name: 'Profile' });
  });
});
