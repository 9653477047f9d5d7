import { act, fireEvent, screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keys } from '@/api/keys';
import type { Schema } from '@/api/types';
import { useCart, useChangeCart } from '@/entities/cart/queries';
import { setPlace } from '@/entities/place/place';
import { storeUser } from '@/entities/session/session';
import { makeCart, makeLine, makePageData, makeSite } from '@/testing/fixtures';
import { makeAddress, makeInterval, makeTimes } from '@/testing/orders';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
import { NearestIntervals } from './nearest-intervals';

const delivery_address = makeAddress();
const { end_timestamp: soon } = makeInterval();

/** The state of the fake server: the cart, its owner, and how much later the cart makes the soonest time. */
interface Shop {
  cart: Schema<'Cart'>;
  /** The counts of the carts that times were listed for. */
  listed: number[];
  /** How often the cart was loaded. */
  loads: number;
  /** How much later the soonest time is than it would be for an empty cart, in hours. */
  hoursLater: number;
}

let shop: Shop;

const soonest = () =>
  makeInterval({ end_timestamp: soon + 3600 * (shop.cart.count + shop.hoursLater) });

/** Returns the cart that the server would answer now: its chosen time is computed at each call. */
const cartNow = (): Schema<'Cart'> => ({
  ...shop.cart,
  fingerprint: `of ${shop.cart.count}`,
  interval: shop.cart.interval && soonest(),
});

const cartOf = (count: number) =>
  makeCart(count > 0 ? [makeLine({ count })] : [], { delivery_address });

function AddOne() {
  const { cart } = useCart();
  const { add } = useChangeCart();
  return (
    <>
      <button type="button" onClick={() => add('philadelphia')}>
        Add
      </button>
      <output>{cart?.fingerprint}</output>
    </>
  );
}

beforeEach(() => {
  // The network of the tests uses real timers: only those of the page are fake.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  shop = { cart: cartOf(0), listed: [], loads: 0, hoursLater: 0 };
  setPlace(1, { orderType: 'delivery', address: delivery_address });
  server.use(
    answer('put', '/cart', () => {
      shop.loads += 1;
      return { cart: cartNow() };
    }),
    answer('post', '/schedule/intervals', () => {
      shop.listed.push(shop.cart.count);
      return makeTimes({ intervals: [soonest()] });
    }),
    answer('put', '/cart/set-interval', async ({ request }) => {
      const { interval } = (await request.json()) as { interval: string };
      shop.cart = { ...shop.cart, interval: interval ? soonest() : undefined };
      return { cart: cartNow() };
    }),
    answer('put', '/cart/add', () => {
      shop.cart = { ...cartOf(shop.cart.count + 1), interval: shop.cart.interval };
      return { cart: cartNow() };
    }),
  );
});
afterEach(() => vi.useRealTimers());

/** Waits for answers of the network without advancing the fake timers. */
const untilTrue = (check: () => void) =>
  act(() => vi.waitFor(check, { timeout: 2000, interval: 5 }));
const advanceTime = (time: number) => act(() => vi.advanceTimersByTimeAsync(time));

const render = (data = makePageData()) =>
  renderInCity([<AddOne key="add" />, <NearestIntervals key="times" />], { data });
const shows = (note: string) =>
  untilTrue(() => expect(soonestButton().textContent).toContain(note));
const soonestButton = () => screen.getByRole('button', { name: /As soon as possible/ });

describe('the times of a cart', () => {
  it('are not asked for beside its change, and are those of the changed cart', async () => {
    render();
    await shows('by 19:40');
    expect(new Set(shop.listed)).toEqual(new Set([0]));
    shop.listed = [];
    fireEvent.click(screen.getByText('Add'));
    expect(soonestButton().closest('[aria-busy]')?.getAttribute('aria-busy')).toBe('true');
    await advanceTime(450);
    await untilTrue(() => expect(shop.cart.count).toBe(1));
    await advanceTime(1000);
    await shows('by 20:40');
    expect(new Set(shop.listed)).toEqual(new Set([1]));
  });

  it('are asked for once, a second after its last change', async () => {
    shop.cart = { ...cartOf(1), interval: soonest() };
    const { client } = render();
    await shows('by 20:40');
    // The delay holds once the first times are a second old.
    await advanceTime(1000);
    shop.listed = [];
    for (const count of [2, 3]) {
      fireEvent.click(screen.getByText('Add'));
      await advanceTime(450);
      await untilTrue(() => screen.getByText(`of ${count}`));
      await advanceTime(900);
      expect(client.isFetching({ queryKey: keys.intervals.all() })).toBe(0);
      expect(shop.listed).toEqual([]);
    }
    await advanceTime(100);
    await shows('by 22:40');
    expect(shop.listed).toEqual([3]);
  });

  it('are asked for again when somebody signs in', async () => {
    const user = { id: 5, phone: '4930123456', name: 'Anna' };
    server.use(answer('get', '/user/check-session', () => ({ is_signed_in: false })));
    const { client } = render(makePageData({ site: makeSite({ is_auth_enabled: true }) }));
    await shows('by 19:40');
    // Their own cart, which is joined with that of the visit.
    shop = { ...shop, cart: { ...cartOf(2), interval: shop.cart.interval }, listed: [] };
    await act(() => storeUser(client, user));
    await advanceTime(1000);
    await shows('by 21:40');
    await untilTrue(() => expect(shop.listed).toContain(2));
  });

  it('show what is chosen as the cart has it, which is loaded again when it is listed otherwise', async () => {
    shop.cart = cartOf(1);
    const { client } = render();
    await shows('by 20:40');
    await untilTrue(() => expect(soonestButton().getAttribute('aria-pressed')).toBe('true'));
    const { loads } = shop;
    shop.hoursLater = 3;
    await act(() => client.invalidateQueries({ queryKey: keys.intervals.all() }));
    await shows('by 23:40');
    expect(shop.loads).toBe(loads + 1);
  });

  it('show a pressed time as chosen before the server answers, and the one before when it refuses', async () => {
    const later = makeInterval({ id: 'a', title: '19:30–20:00', asap: false });
    shop.cart = { ...cartOf(1), interval: soonest() };
    let answerNow = () => {};
    const asked = new Promise<void>((resolve) => {
      answerNow = resolve;
    });
    server.use(
      answer('post', '/schedule/intervals', () => makeTimes({ intervals: [soonest(), later] })),
      http.put('*/api/cart/set-interval', async () => {
        await asked;
        return HttpResponse.json({ message: 'This time is taken' }, { status: 409 });
      }),
    );
    render();
    await untilTrue(() => expect(soonestButton().getAttribute('aria-pressed')).toBe('true'));
    const button = screen.getByRole('button', { name: '19:30–20:00' });
    fireEvent.click(button);
    expect(button.getAttribute('aria-pressed')).toBe('true');
    expect(soonestButton().getAttribute('aria-pressed')).toBe('false');
    answerNow();
    await untilTrue(() => expect(soonestButton().getAttribute('aria-pressed')).toBe('true'));
    expect(button.getAttribute('aria-pressed')).toBe('false');
  });

  it('take a chosen time back that the cart has outgrown', async () => {
    const slot = makeInterval({ id: 'a', title: '19:30–20:00', asap: false });
    shop.cart = { ...cartOf(1), interval: slot };
    const sent: string[] = [];
    server.use(
      answer('put', '/cart', () => ({
        cart: { ...shop.cart, fingerprint: `of ${shop.cart.count}` },
      })),
      answer('put', '/cart/add', () => {
        shop.cart = { ...cartOf(2), interval: slot };
        return { cart: { ...shop.cart, fingerprint: 'of 2' } };
      }),
      answer('post', '/schedule/intervals', () =>
        makeTimes({ intervals: [{ ...slot, disabled: shop.cart.count > 1 }] }),
      ),
      answer('put', '/cart/set-interval', async ({ request }) => {
        sent.push(((await request.json()) as { interval: string }).interval);
        shop.cart = { ...shop.cart, interval: undefined };
        return { cart: { ...shop.cart, fingerprint: 'of 2' } };
      }),
    );
    render();
    await untilTrue(() => screen.getByRole('button', { name: '19:30–20:00', pressed: true }));
    fireEvent.click(screen.getByText('Add'));
    await advanceTime(450);
    await untilTrue(() => expect(shop.cart.count).toBe(2));
    await advanceTime(1000);
    await untilTrue(() => expect(sent).toEqual(['']));
  });
});
