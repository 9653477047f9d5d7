import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useCart } from '@/entities/cart/queries';
import { makeCart, makeGroup, makePageData, makeProduct } from '@/testing/fixtures';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
import { LastHourNotice } from './last-hour-notice';

const start = Date.parse('2026-11-21T18:00:00Z');

afterEach(() => vi.useRealTimers());

function Home() {
  useCart();
  return <LastHourNotice />;
}

/** Renders home with a cart whose last hour ends in `minutes`; returns the counter of the loads of the cart. */
function showHome(minutes: number, steps = 1) {
  vi.useFakeTimers({ now: start, toFake: ['Date', 'setInterval', 'clearInterval'] });
  const asked = { times: 0 };
  const last_hour_until = new Date(start + minutes * 60_000).toISOString();
  server.use(
    answer('put', '/cart', () => {
      asked.times += 1;
      return { cart: makeCart([], asked.times === 1 ? { last_hour: true, last_hour_until } : {}) };
    }),
  );
  const products = [makeProduct({ sale_multiplicity_last_hour: steps })];
  const menu = { product_groups: [makeGroup({ products })], popular_products: [] };
  renderInCity(<Home />, { data: makePageData({ menu }) });
  return asked;
}

const advanceMinutes = (minutes: number) => act(() => vi.advanceTimersByTime(minutes * 60_000));

it('says until when orders are taken, and counts the minutes down', async () => {
  showHome(42);
  expect(await screen.findByText('Orders until 19:42, 42 min left')).toBeDefined();
  advanceMinutes(2);
  expect(screen.getByText('Orders until 19:42, 40 min left')).toBeDefined();
  expect(screen.getByRole('timer').getAttribute('aria-live')).toBe('off');
});

it('mentions several portions where a dish is sold only in several', async () => {
  showHome(42, 2);
  expect(await screen.findByText(/several portions at a time/)).toBeDefined();
});

it('does not mention several portions where every dish is sold one by one', async () => {
  showHome(42);
  await screen.findByRole('timer');
  expect(screen.queryByText(/several portions/)).toBeNull();
});

it('is announced only a quarter of an hour and five minutes before the end', async () => {
  showHome(16.5);
  await screen.findByRole('timer');
  expect(screen.getAllByText(/min left/)).toHaveLength(1);
  advanceMinutes(2);
  expect(screen.getAllByText('Orders until 19:16, 15 min left')).toHaveLength(2);
  advanceMinutes(1);
  expect(screen.getAllByText('Orders until 19:16, 14 min left')).toHaveLength(1);
});

it('goes when the hour is over, and asks for the cart again', async () => {
  const asked = showHome(1);
  await screen.findByRole('timer');
  advanceMinutes(2);
  expect(screen.queryByRole('timer')).toBeNull();
  vi.useRealTimers();
  await waitFor(() => expect(asked.times).toBe(2));
});

it('is absent outside of the last hour', async () => {
  server.use(answer('put', '/cart', () => ({ cart: makeCart() })));
  const { client } = renderInCity(<Home />);
  await waitFor(() => expect(client.isFetching()).toBe(0));
  expect(screen.queryByRole('timer')).toBeNull();
});
