import { act, screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeInterval } from '@/testing/orders';
import { server } from '@/testing/server';
import { fillIn, openCheckout, orderButton } from './checkout-page.fixture';

beforeEach(() => sessionStorage.clear());
afterEach(() => vi.useRealTimers());

describe('an order that is pressed while the server does not take a change of the cart', () => {
  it('is given up after half a minute with the reason, and the form is open again', async () => {
    const later = makeInterval({ id: 'later', title: 'later' });
    const { user, sent } = await openCheckout(undefined, [makeInterval(), later]);
    await fillIn(user);
    server.use(http.put('*/api/cart/set-interval', () => new HttpResponse(null, { status: 503 })));
    await user.click(screen.getByRole('button', { name: /later/ }));
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await user.click(orderButton());
    expect(orderButton().getAttribute('aria-busy')).toBe('true');
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    expect(orderButton().getAttribute('aria-busy')).not.toBe('true');
    screen.getByText(/No connection/);
    expect(sent).toEqual([]);
  });
});
