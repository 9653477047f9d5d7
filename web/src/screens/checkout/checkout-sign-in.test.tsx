import { screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makePageData, makeSite } from '@/testing/fixtures';
import { makeInterval, makeReadyCart } from '@/testing/orders';
import { answer, refuse, server } from '@/testing/server';
import { city, fillIn, openCheckout, orderButton } from './checkout-page.fixture';

beforeEach(() => sessionStorage.clear());

describe('where customers sign in', () => {
  // The chunk of the dialog is loaded before the clock of a test runs.
  beforeAll(async () => {
    await import('@/screens/login/user-login-dialog');
  });
  const user = { id: 1, phone: '4930123456789', name: 'Anna' };
  const signedIn = answer('get', '/user/check-session', () => ({ is_signed_in: true, user }));
  const nobody = answer('get', '/user/check-session', () => ({ is_signed_in: false }));
  const open = (guestOrders: boolean) => {
    const site = makeSite({
      is_auth_enabled: true,
      guest_orders: guestOrders,
      notification_channels: ['sms'],
    });
    const data = makePageData({ city, site, path: '/berlin/cart?step=2' });
    return openCheckout(makeReadyCart(), [makeInterval()], data);
  };

  it('a customer orders by their own phone and name, without being asked', async () => {
    server.use(signedIn);
    const { user: hand, sent, places } = await open(false);
    await screen.findByText('+49 301 23456789');
    expect(screen.queryByLabelText(/Phone/)).toBeNull();
    await waitFor(() =>
      expect(screen.getByLabelText<HTMLInputElement>(/Your name/).value).toBe('Anna'),
    );
    await hand.type(screen.getByRole('textbox', { name: /Apartment/ }), '12');
    await hand.click(orderButton());
    await waitFor(() => expect(places).toContain('/berlin/order/12345678/tracking'));
    expect(sent[0]).toMatchObject({ username: 'Anna' });
    expect(sent[0]).not.toHaveProperty('phone');
  });

  it('a visitor who may not order as a guest signs in first, and sees the sum before', async () => {
    server.use(nobody);
    const { user: hand, sent } = await open(false);
    expect(screen.queryByLabelText(/Phone/)).toBeNull();
    const [button] = screen.getAllByRole('button', { name: /Sign in and order/ });
    expect(button?.textContent).toContain('€25');
    if (button) await hand.click(button);
    await screen.findByRole('dialog', { name: 'Sign in' });
    expect(sent).toEqual([]);
  });

  it('a guest may order where guests may, and take their phone along to the sign-in', async () => {
    server.use(nobody);
    const { user: hand } = await open(true);
    await fillIn(hand);
    expect(orderButton()).toBeTruthy();
    await hand.click(screen.getByRole('button', { name: 'Sign in' }));
    const dialog = await screen.findByRole('dialog', { name: 'Sign in' });
    expect(dialog.querySelector('input')?.value).toBe('+49 301 23456789');
  });

  it('a session that has ended asks to sign in again and loses nothing', async () => {
    server.use(nobody);
    const { user: hand } = await open(true);
    await fillIn(hand);
    server.use(refuse('post', '/order/create', 401, { message: 'Sign in' }));
    await hand.click(orderButton());
    await screen.findByRole('dialog', { name: 'Sign in' });
    expect(screen.getByLabelText<HTMLInputElement>(/Your name/).value).toBe('Anna');
  });
});
