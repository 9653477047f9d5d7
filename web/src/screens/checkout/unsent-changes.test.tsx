import { act, screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeInterval } from '@/testing/orders';
import { server } from '@/testing/server';
import { fillIn, openCheckout, orderButton } from './checkout-page.fixture';

beforeEach(() => sessionStorage.clear());
afterEach(() => vi.useRealTimers());

/** Opens the checkout, and presses a time that the server does not take. */
async function openWithUnsentTime() {
  const later = makeInterval({ id: 'later', title: 'later' });
  const page = await openCheckout(undefined, [makeInterval(), later]);
  await fillIn(page.user);
  server.use(http.put('*/api/cart/set-interval', () => new HttpResponse(null, { status: 503 })));
  await page.user.click(screen.getByRole('button', { name: /later/ }));
  return page;
}

describe('an order that is pressed while the server does not take a change of the cart', () => {
  it('is given up after half a minute with the reason, and the form is open again', async () => {
    const { user, sent } = await openWithUnsentTime();
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await user.click(orderButton());
    expect(orderButton().getAttribute('aria-busy')).toBe('true');
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    expect(orderButton().getAttribute('aria-busy')).not.toBe('true');
    screen.getByText(/No connection/);
    expect(sent).toEqual([]);
  });
});

describe('a code that is applied while the server does not take a change of the cart', () => {
  it('is given up after a quarter of a minute with the reason, and stays in the field', async () => {
    const { user } = await openWithUnsentTime();
    const field = screen.getByLabelText<HTMLInputElement>('Promo code');
    await user.type(field, 'WOK10');
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await user.keyboard('{Enter}');
    expect(field.readOnly).toBe(true);
    await act(() => vi.advanceTimersByTimeAsync(15_000));
    const note = document.getElementById(field.getAttribute('aria-describedby') ?? '');
    expect(note?.textContent).toMatch(/No connection/);
    expect(field.readOnly).toBe(false);
    expect(field.value).toBe('WOK10');
  });
});
