import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { useCart, useChangeCart } from '@/entities/cart/queries';
import { setPlace, usePlace } from '@/entities/place/place';
import { makeCart, makeLine } from '@/testing/fixtures';
import { makeShop } from '@/testing/places';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
import { useChooseShop } from './choose';

const mitte = makeShop({ id: 1, name: 'Mitte' });
const wedding = makeShop({ id: 2, name: 'Wedding' });
const noMenu = { product_groups: [], popular_products: [] };
const cartAt = (shop: typeof mitte) => makeCart([makeLine()], { order_type: 'takeaway', shop });

/** Adds a dish and chooses a shop, beside the name of the place. */
function Page() {
  const { cart } = useCart();
  const { add } = useChangeCart();
  const { choose, busyId } = useChooseShop(() => undefined);
  return (
    <>
      <p>{`${cart ? 'cart' : 'no cart'} at ${usePlace().shop?.name}, ${busyId ? 'busy' : 'idle'}`}</p>
      <button type="button" onClick={() => add('philadelphia')}>
        Add
      </button>
      <button type="button" onClick={() => void choose(wedding)}>
        Choose
      </button>
    </>
  );
}

/** Renders the page at a shop. The answers to the addition are those of `add`; `calls` collects what was called. */
async function openPage(add: () => Response | Promise<Response>) {
  const calls: string[] = [];
  setPlace(1, { orderType: 'takeaway', shop: mitte });
  server.use(
    answer('put', '/cart', () => ({ cart: cartAt(mitte) })),
    http.put('*/api/cart/add', async () => {
      const response = await add();
      calls.push(`add: ${response.status}`);
      return response;
    }),
    answer('post', '/shops/set', () => {
      calls.push('shop');
      return { shop: wedding, cart: cartAt(wedding), ...noMenu };
    }),
  );
  const page = renderInCity(<Page />);
  await screen.findByText('cart at Mitte, idle');
  return { ...page, calls };
}

describe('a shop that is chosen while a dish is on its way to the cart', () => {
  afterEach(() => vi.useRealTimers());

  it('is chosen after the dish was added at the shop before, and stays', async () => {
    const answers = [new HttpResponse(null, { status: 503 })];
    const { user, calls } = await openPage(
      () => answers.shift() ?? HttpResponse.json({ cart: cartAt(mitte) }),
    );
    await user.click(screen.getByRole('button', { name: 'Add' }));
    await waitFor(() => expect(calls).toEqual(['add: 503']));
    await user.click(screen.getByRole('button', { name: 'Choose' }));
    await waitFor(() => expect(calls).toEqual(['add: 503', 'add: 200', 'shop']), { timeout: 5000 });
    await screen.findByText('cart at Wedding, idle');
  });

  it('is not chosen when the server does not take the dish for a quarter of a minute, and the reason is shown', async () => {
    const { user, calls } = await openPage(() => new HttpResponse(null, { status: 503 }));
    await user.click(screen.getByRole('button', { name: 'Add' }));
    await waitFor(() => expect(calls).toEqual(['add: 503']));
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await user.click(screen.getByRole('button', { name: 'Choose' }));
    await screen.findByText('cart at Mitte, busy');
    await act(() => vi.advanceTimersByTimeAsync(15_000));
    screen.getByText('cart at Mitte, idle');
    expect(calls).not.toContain('shop');
    await screen.findByText(/No connection/);
  });
});
