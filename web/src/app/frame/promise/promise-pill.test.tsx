import { screen } from '@testing-library/react';
import { beforeEach, describe, it } from 'vitest';
import type { Schema } from '@/api/types';
import { clearPlaces, setPlace } from '@/entities/place/place';
import { makeCart, makeCity, makePageData } from '@/testing/fixtures';
import { makeAddress, makeInterval, makeTimes } from '@/testing/orders';
import { makeFoundAddress, makeShop } from '@/testing/places';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
import { PromisePill } from './promise-pill';

beforeEach(() => {
  clearPlaces();
  localStorage.clear();
});

const tomorrow = (own: Partial<Schema<'Interval'>> = {}) =>
  makeInterval({
    id: 'slot',
    title: '09:00–09:30',
    asap: false,
    date_string: '2026-11-22',
    is_today: false,
    is_tomorrow: true,
    start_timestamp: Date.parse('2036-11-22T08:00:00Z') / 1000,
    ...own,
  });

/** Waits until the pill has the name; longer than the library's default, because a busy machine is slow. */
const shows = (name: string) => screen.findByRole('button', { name }, { timeout: 4000 });

/** Renders the pill for a chosen address, with the times of the server and the chosen interval. */
const openPill = (
  own: Partial<Schema<'Intervals'>>,
  interval?: Schema<'Interval'>,
  city = makeCity(),
) => {
  const delivery_address = makeAddress();
  setPlace(1, { orderType: 'delivery', address: delivery_address });
  server.use(
    answer('put', '/cart', () => ({ cart: makeCart([], { delivery_address, interval }) })),
    answer('post', '/schedule/intervals', () => makeTimes(own)),
  );
  renderInCity(<PromisePill />, { data: makePageData({ city }) });
};

describe('the promise', () => {
  it.each([
    ['in minutes', {}, undefined, '20–30 min'],
    [
      'by the clock where all is taken for hours',
      {
        intervals: [makeInterval({ end_timestamp: makeInterval().end_timestamp + 3 * 3600 })],
      },
      undefined,
      'by 22:40',
    ],
    [
      'with its day where nothing is possible today',
      { intervals: [tomorrow()] },
      undefined,
      'tomorrow from 09:00',
    ],
    [
      'with its date where nothing is possible tomorrow',
      {
        intervals: [
          tomorrow({ disabled: true }),
          tomorrow({ is_tomorrow: false, day_name: 'Monday', formatted_string: 'November 23' }),
        ],
      },
      undefined,
      'November 23 from 09:00',
    ],
    ['as it was chosen', {}, tomorrow(), 'tomorrow from 09:00'],
  ])('is made %s', async (_, times, chosen, said) => {
    openPill(times, chosen);
    await shows(`Delivery · Torstraße 12 · ${said}`);
  });

  it('says from when a takeaway can be picked up where it takes hours', async () => {
    const interval = makeInterval({ end_timestamp: makeInterval().end_timestamp + 3 * 3600 });
    const shop = makeShop();
    setPlace(1, { orderType: 'takeaway', shop });
    server.use(
      answer('put', '/cart', () => ({ cart: makeCart([], { order_type: 'takeaway', shop }) })),
      answer('post', '/schedule/intervals', () => makeTimes({ intervals: [interval] })),
    );
    renderInCity(<PromisePill />);
    await shows(`Takeaway · ${shop.name} · from 22:40`);
  });

  it('is made by the clock that the city has on the day of the order', async () => {
    const interval = tomorrow({ start_timestamp: Date.parse('2036-03-30T08:00:00Z') / 1000 });
    const change = { at: Date.parse('2036-03-30T01:00:00Z') / 1000, timezone: 2 };
    openPill({ intervals: [interval] }, undefined, makeCity({ clock_changes: [change] }));
    await shows('Delivery · Torstraße 12 · tomorrow from 10:00');
  });

  it('is not made where no time is available', async () => {
    openPill({ intervals: [makeInterval({ disabled: true })] });
    await shows('Delivery · Torstraße 12');
  });
});

it('promises nothing while the city takes no orders', () => {
  setPlace(1, { orderType: 'delivery', address: makeFoundAddress() });
  renderInCity(<PromisePill />, { data: makePageData({ city: makeCity({ type: 'stop' }) }) });
  screen.getByRole('button', { name: 'No orders now' });
});
