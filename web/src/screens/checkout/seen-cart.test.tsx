import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { keys } from '@/api/keys';
import { makeReadyCart } from '@/testing/orders';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
import { CheckoutPage } from './checkout-page';
import { city, fillIn, guestData, openCheckout, orderButton } from './checkout-page.fixture';

beforeEach(() => sessionStorage.clear());

/** Opens the checkout, and opens it once more without a network: the cart is shown as the device has stored it. */
async function openWithoutNetwork() {
  const { unmount, client, sent } = await openCheckout();
  unmount();
  await client.cancelQueries();
  server.use(http.put('*/api/cart', () => HttpResponse.error()));
  const page = renderInCity(<CheckoutPage />, { data: guestData });
  await screen.findByRole('radio', { name: 'Cash' });
  return { ...page, sent };
}

describe('a cart that is shown from the device', () => {
  it('is ordered as the customer saw it once the network is back, though it was not read again', async () => {
    const { user, sent, places } = await openWithoutNetwork();
    await fillIn(user);
    await user.click(orderButton());
    await waitFor(() => expect(places).toContain('/berlin/order/12345678/tracking'));
    expect(sent).toEqual([
      expect.objectContaining({ cart: { fingerprint: 'seen', prices: { total: 25 } } }),
    ]);
  });

  it('stays on the screen, with the form, while the cart is read again', async () => {
    const { user, client } = await openWithoutNetwork();
    await fillIn(user);
    let answerNow = () => {};
    const asked = new Promise<void>((resolve) => {
      answerNow = resolve;
    });
    let isAsked = false;
    server.use(
      answer('put', '/cart', async () => {
        isAsked = true;
        await asked;
        return { cart: makeReadyCart({ fingerprint: 'fresh' }) };
      }),
    );
    const name = screen.getByRole('textbox', { name: /Your name/ });
    void client.invalidateQueries({ queryKey: keys.cart(city.id) });
    await waitFor(() => expect(isAsked).toBe(true));
    expect(name.isConnected).toBe(true);
    answerNow();
    await waitFor(() =>
      expect(client.getQueryData(keys.cart(city.id))).toMatchObject({ fingerprint: 'fresh' }),
    );
    expect(name.isConnected).toBe(true);
  });
});
