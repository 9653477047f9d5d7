import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { openCheckout } from './checkout-page.fixture';

afterEach(() => vi.unstubAllGlobals());

it.each([
  { device: 'phone', leads: 'to the cart, its first step', isDesktop: false, to: '/berlin/cart' },
  { device: 'desktop', leads: 'to the menu', isDesktop: true, to: '/berlin' },
])('the way back from the second step leads $leads on a $device', async ({ isDesktop, to }) => {
  const query = { matches: isDesktop, addEventListener: vi.fn(), removeEventListener: vi.fn() };
  vi.stubGlobal('matchMedia', () => query);
  await openCheckout();
  const back = screen.getByRole('link', { name: /Back to the menu/ });
  await waitFor(() => expect(back.getAttribute('href')).toBe(to));
});
