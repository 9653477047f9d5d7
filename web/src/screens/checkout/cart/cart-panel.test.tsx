import { act, fireEvent, screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Schema } from '@/api/types';
import { acknowledgementIn } from '@/entities/cart/acknowledged/store';
import { debounceMs } from '@/entities/cart/outbox';
import { clearPlaces, setPlace } from '@/entities/place/place';
import { makeCart, makeGift, makeLine } from '@/testing/fixtures';
import { makeFoundAddress, makeShop } from '@/testing/places';
import { renderInCity } from '@/testing/render';
import { answer, refuse, server } from '@/testing/server';
import { modals } from '@/ui/modals/modal-store';
import { CartPanel } from './cart-panel';

interface Sent {
  path: string;
  key: string | null;
  body: { count?: number; product_key?: string };
}

const sent: Sent[] = [];

/** Records a request in `sent`. */
const recordRequest = async (request: Request) => {
  const body = (await request.clone().json()) as Sent['body'];
  const path = new URL(request.url).pathname.replace('/api', '');
  sent.push({ path, key: request.headers.get('Idempotency-Key'), body });
};

const address = makeFoundAddress();
const cartWith = (line: Partial<Schema<'CartProduct'>>) =>
  makeCart([makeLine(line)], { delivery_address: address });
const cartOf = (count: number) =>
  count > 0
    ? cartWith({ count, total: 12.5 * count })
    : makeCart([], { delivery_address: address });

beforeEach(() => {
  // The network of the tests uses real timers: only those of the page are fake.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  sent.length = 0;
  clearPlaces();
  setPlace(1, { orderType: 'delivery', address });
  server.use(
    answer('post', '/products/get-related-products', () => ({ products: [] })),
    answer('get', '/products', () => ({ product_groups: [], popular_products: [] })),
    answer('post', '/user/payment-types', () => ({ payment_types: [] })),
  );
});
afterEach(() => vi.useRealTimers());

/** Waits for answers of the network without advancing the fake timers. */
const untilTrue = async (check: () => void) => {
  await act(() => vi.waitFor(check, { timeout: 2000, interval: 5 }));
};

/** Renders the panel with a cart and waits for its lines. */
async function renderCart(cart: Schema<'Cart'>) {
  server.use(answer('put', '/cart', () => ({ cart })));
  const result = renderInCity(<CartPanel />);
  await untilTrue(() => screen.getByRole('list', { name: 'Products in the cart' }));
  return result;
}

const plus = () => screen.getByRole('button', { name: 'Add one: Philadelphia' });
const minus = () => screen.getByRole('button', { name: 'Take one away: Philadelphia' });
const lines = () => within(screen.getByRole('list', { name: 'Products in the cart' }));
const settleCounters = (time = debounceMs) => act(() => vi.advanceTimersByTimeAsync(time));

describe('a counter of the cart', () => {
  it('counts at once and sends the difference when it has not changed for 450 ms', async () => {
    server.use(
      answer('put', '/cart/add', async ({ request }) => {
        await recordRequest(request);
        return { cart: cartOf(4) };
      }),
    );
    await renderCart(cartOf(1));
    fireEvent.click(plus());
    await settleCounters(400);
    fireEvent.click(plus());
    fireEvent.click(plus());
    lines().getByText('4');
    await settleCounters(449);
    expect(sent).toEqual([]);
    await settleCounters(1);
    await untilTrue(() => lines().getByText('€50'));
    expect(sent).toMatchObject([{ path: '/cart/add', body: { count: 3 } }]);
    expect(sent[0]?.key).toMatch(/^[0-9a-f]{32}$/);
  });

  it('goes up to 99', async () => {
    await renderCart(cartOf(98));
    expect(plus()).toHaveProperty('disabled', false);
    fireEvent.click(plus());
    lines().getByText('99');
    expect(plus()).toHaveProperty('disabled', true);
  });

  it('does not go beyond 99 by a step of several portions', async () => {
    await renderCart(cartWith({ count: 98, sale_multiplicity: 2 }));
    const addTwo = screen.getByRole('button', { name: 'Add 2: Philadelphia' });
    expect(addTwo).toHaveProperty('disabled', true);
  });

  it('goes up to 99 of a product, whatever its modifiers', async () => {
    const soy = [{ id: 1, group_id: 9, name: 'Soy', count: 1, price: 1 }];
    const other = makeLine({
      key: '1-1~ab',
      product_key: 'philadelphia',
      modifiers: soy,
      count: 40,
    });
    await renderCart(makeCart([makeLine({ count: 58 }), other], { delivery_address: address }));
    const first = plus();
    const second = screen.getByRole('button', { name: 'Add one: Philadelphia, Soy' });
    expect(second).toHaveProperty('disabled', false);
    fireEvent.click(first);
    lines().getByText('59');
    expect(first).toHaveProperty('disabled', true);
    expect(second).toHaveProperty('disabled', true);
  });

  it('sends nothing when the presses cancel out', async () => {
    await renderCart(cartOf(2));
    fireEvent.click(plus());
    fireEvent.click(minus());
    await settleCounters(debounceMs * 2);
    expect(sent).toEqual([]);
    lines().getByText('2');
  });

  it('goes back to the count of the server when the change is refused, and says why', async () => {
    const message = 'Only one portion is left';
    server.use(refuse('put', '/cart/add', 422, { message, errors: { product: [message] } }));
    await renderCart(cartOf(1));
    fireEvent.click(plus());
    lines().getByText('2');
    await settleCounters();
    await untilTrue(() => screen.getByText(message));
    lines().getByText('1');
  });

  it('takes the fresh cart of a conflict', async () => {
    const message = 'The price has changed';
    const fresh = cartWith({ price: 14, total: 14 });
    server.use(refuse('put', '/cart/add', 409, { message, cart: fresh }));
    await renderCart(cartOf(1));
    fireEvent.click(plus());
    await settleCounters();
    await untilTrue(() => screen.getByText(message));
    lines().getByText('€14');
    lines().getByText('1');
  });

  it('keeps a change that cannot be delivered and sends it again with the same key', async () => {
    let isOnline = false;
    server.use(
      http.put('*/api/cart/add', async ({ request }) => {
        await recordRequest(request);
        return isOnline ? HttpResponse.json({ cart: cartOf(2) }) : HttpResponse.error();
      }),
    );
    await renderCart(cartOf(1));
    fireEvent.click(plus());
    await settleCounters();
    await untilTrue(() => screen.getByText(/No connection/));
    lines().getByText('2');
    isOnline = true;
    act(() => void dispatchEvent(new Event('online')));
    await untilTrue(() => lines().getByText('€25'));
    expect(sent).toHaveLength(2);
    expect(sent[1]?.key).toBe(sent[0]?.key);
  });

  it('sends what waits for an answer or a retry when the page is left', async () => {
    const soy = makeLine({ key: 'soy', product_key: 'soy', name: 'Soy' });
    await renderCart(makeCart([makeLine(), soy], { delivery_address: address }));
    let isLost = true;
    server.use(
      http.put('*/api/cart/add', async ({ request }) => {
        await recordRequest(request);
        return isLost
          ? new HttpResponse(null, { status: 503 })
          : HttpResponse.json({ cart: cartOf(2) });
      }),
    );
    fireEvent.click(plus());
    await settleCounters();
    await untilTrue(() => expect(sent).toHaveLength(1));
    fireEvent.click(screen.getByRole('button', { name: 'Add one: Soy' }));
    await settleCounters();
    isLost = false;
    dispatchEvent(new Event('pagehide'));
    const [lost] = sent;
    // Changes of the tests before may still wait too.
    await untilTrue(() => {
      expect(sent.filter(({ key }) => key === lost?.key)).toHaveLength(2);
      expect(sent.filter(({ body }) => body.product_key === 'soy')).toHaveLength(1);
    });
  });

  it('keeps a newer press when an older answer comes', async () => {
    let release: (() => void) | undefined;
    server.use(
      answer('put', '/cart/add', async ({ request }) => {
        await recordRequest(request);
        if (sent.length === 1) await new Promise<void>((resolve) => (release = resolve));
        return { cart: cartOf(sent.length + 1) };
      }),
    );
    await renderCart(cartOf(1));
    fireEvent.click(plus());
    await settleCounters();
    await untilTrue(() => expect(release).toBeDefined());
    fireEvent.click(plus());
    release?.();
    await untilTrue(() => lines().getByText('€25'));
    lines().getByText('3');
    await settleCounters();
    await untilTrue(() => lines().getByText('€37.50'));
    expect(sent[1]?.key).not.toBe(sent[0]?.key);
  });
});

it('adds what was refused for its place as soon as another one is chosen', async () => {
  const message = 'Not delivered to this address';
  let isRefused = true;
  server.use(
    http.put('*/api/cart/add', async ({ request }) => {
      await recordRequest(request);
      if (!isRefused) return HttpResponse.json({ cart: cartOf(2) });
      return HttpResponse.json(
        { message, errors: { delivery_address: [message] } },
        { status: 422 },
      );
    }),
  );
  await renderCart(cartOf(1));
  fireEvent.click(plus());
  await settleCounters();
  await untilTrue(() => lines().getByText('1'));
  isRefused = false;
  act(() => setPlace(1, { orderType: 'takeaway', shop: makeShop({ id: 3 }) }));
  lines().getByText('2');
  await settleCounters();
  await untilTrue(() => expect(sent).toHaveLength(2));
  expect(sent[1]?.body).toMatchObject({ count: 1, order_type: 'takeaway', shop_id: 3 });
});

it('asks for the place before anything is sent, and adds once it is chosen', async () => {
  clearPlaces();
  localStorage.clear();
  server.use(
    answer('put', '/cart/add', async ({ request }) => {
      await recordRequest(request);
      return { cart: cartOf(2) };
    }),
    answer('get', '/user/addresses', () => ({ delivery_addresses: [] })),
  );
  await renderCart(makeCart([makeLine()]));
  fireEvent.click(plus());
  await settleCounters();
  lines().getByText('1');
  expect(modals.get().defaults).toMatchObject([{ name: 'order-types' }]);
  expect(sent).toEqual([]);
  act(() => setPlace(1, { orderType: 'delivery', address }));
  await settleCounters();
  await untilTrue(() => lines().getByText('2'));
  expect(sent).toMatchObject([{ body: { count: 1, delivery_zone_id: 101 } }]);
});

it('asks for the shop where takeaway is chosen without one', async () => {
  clearPlaces();
  localStorage.clear();
  setPlace(1, { orderType: 'takeaway' });
  await renderCart(makeCart([makeLine()], { order_type: 'takeaway' }));
  fireEvent.click(plus());
  expect(modals.get().defaults).toMatchObject([
    { name: 'order-types', params: { orderType: 'takeaway' } },
  ]);
  lines().getByText('1');
  await settleCounters();
  expect(sent).toEqual([]);
});

it('says that nothing is brought to an address in no zone, and asks for another', async () => {
  const outside = makeFoundAddress({ delivery_possible: false, delivery_zone_id: undefined });
  server.use(answer('get', '/user/addresses', () => ({ delivery_addresses: [] })));
  await renderCart(makeCart([makeLine()], { delivery_address: outside }));
  screen.getByText('We do not deliver to this address.');
  expect(screen.queryByText('free')).toBeNull();
  expect(screen.getByRole('button', { name: 'Check out' })).toHaveProperty('disabled', true);
  fireEvent.click(screen.getByRole('button', { name: 'Enter another address' }));
  expect(modals.get().defaults).toMatchObject([
    { name: 'order-types', params: { orderType: 'delivery' } },
  ]);
});

it('leads from the order button to the page of the cart', async () => {
  const { places } = await renderCart(cartOf(1));
  fireEvent.click(screen.getByRole('button', { name: /Check out/ }));
  expect(places.at(-1)).toBe('/berlin/cart');
});

it('names the buttons of two lines of a dish by what was chosen with it', async () => {
  const modifiers = [{ id: 1, group_id: 9, name: 'Soy', count: 2, price: 1 }];
  const other = makeLine({ key: '1-1~ab', product_key: 'philadelphia', modifiers });
  await renderCart(makeCart([makeLine(), other], { delivery_address: address }));
  for (const act of ['About', 'Remove:', 'Take one away:', 'Add one:']) {
    screen.getByRole('button', { name: `${act} Philadelphia` });
    screen.getByRole('button', { name: `${act} Philadelphia, Soy × 2` });
  }
});

it('brings a removed line back', async () => {
  server.use(
    answer('put', '/cart/forget', () => ({ cart: cartOf(0) })),
    answer('put', '/cart/add', async ({ request }) => {
      await recordRequest(request);
      return { cart: cartOf(2) };
    }),
  );
  await renderCart(cartOf(2));
  fireEvent.click(screen.getByRole('button', { name: 'Remove: Philadelphia' }));
  await untilTrue(() => screen.getByText('The cart is empty'));
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  lines().getByText('2');
  await settleCounters();
  await untilTrue(() => expect(sent).toMatchObject([{ body: { count: 2 } }]));
});

it('brings a removed line back to its place, which a reload keeps', async () => {
  const first = makeLine({ added_at: '2026-11-22T10:00:00Z' });
  const second = makeLine({
    key: 'wok',
    product_key: 'wok',
    name: 'Wok',
    added_at: '2026-11-22T11:00:00Z',
  });
  const again = { ...first, added_at: '2026-11-22T12:00:00Z' };
  const both = makeCart([second, again], { delivery_address: address });
  server.use(
    answer('put', '/cart/forget', () => ({
      cart: makeCart([second], { delivery_address: address }),
    })),
    answer('put', '/cart/add', () => ({ cart: both })),
  );
  const names = () =>
    within(screen.getByRole('list', { name: 'Products in the cart' }))
      .getAllByRole('button', { name: /^About/ })
      .map((button) => button.getAttribute('aria-label'));
  const { unmount } = await renderCart(makeCart([first, second], { delivery_address: address }));
  fireEvent.click(screen.getByRole('button', { name: 'Remove: Philadelphia' }));
  await untilTrue(() => expect(names()).toEqual(['About Wok']));
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await settleCounters();
  await untilTrue(() => expect(names()).toEqual(['About Philadelphia', 'About Wok']));
  unmount();
  await renderCart(both);
  expect(names()).toEqual(['About Philadelphia', 'About Wok']);
});

it('says the count and the total once for each change', async () => {
  server.use(answer('put', '/cart/add', () => ({ cart: cartOf(2) })));
  await renderCart(cartOf(1));
  fireEvent.click(plus());
  await settleCounters();
  await untilTrue(() => screen.getByText('In the cart: 2, total €25'));
});

it('reports a line that is not available and disables the order button', async () => {
  const alert = 'No salmon until 18:00';
  await renderCart(cartWith({ type: 'stop', alert }));
  screen.getByText(alert);
  expect(screen.getByRole('button', { name: /Check out/ })).toHaveProperty('disabled', true);
});

it('says that a promo code was removed with its gift, and does not make the order wait for it', async () => {
  const text = 'Promo code MUG was removed together with its gift “Mug”';
  const messages = [{ position: 'top' as const, text }];
  await renderCart({ ...cartOf(1), messages });
  screen.getByText(text);
  expect(screen.getByRole('button', { name: /Check out/ })).toHaveProperty('disabled', false);
});

it('says once why a gift was removed, keeps the sum on the button, and goes on to the order', async () => {
  const text = 'The gift “Miso soup” is no longer in the cart. Add 5 more';
  const lost = makeGift({ conditions: [{ message: 'Add 5 more', validated: false }] });
  const messages = [{ position: 'top' as const, icon: 'gift', text }];
  const after = { ...cartOf(1), gifts: [lost], messages };
  server.use(answer('put', '/cart/remove', () => ({ cart: after })));
  await renderCart({ ...cartOf(2), gifts: [makeGift({ count: 1 })] });
  await untilTrue(() => expect(acknowledgementIn(1).agreed?.gifts).toHaveProperty(['gift.1']));
  fireEvent.click(minus());
  await settleCounters();
  await untilTrue(() => screen.getByText('Something has changed'));
  expect(screen.getAllByText(text)).toHaveLength(1);
  screen.getByRole('button', { name: /See what has changed.*€12.50/ });
  fireEvent.click(screen.getByRole('button', { name: 'OK, got it' }));
  expect(screen.queryByText(text)).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: /Check out/ }));
});
