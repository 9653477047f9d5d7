import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Schema } from '@/api/types';
import { setPlace } from '@/entities/place/place';
import { makeCart, makeLine } from '@/testing/fixtures';
import { makeAddress, makeInterval, makeTimes } from '@/testing/orders';
import { renderInCity } from '@/testing/render';
import { answer, refuse, server } from '@/testing/server';
import { openModal } from '@/ui/modals/modal-store';
import { ChangesNotice } from '../order-step/changes-notice';
import { OrderStep } from '../order-step/order-step';
// Loads the dialog's chunk before the clock of the first test starts.
import './intervals-dialog';
import {
  differsFromList,
  isGone,
  nearestOf,
  nearestTo,
  withChosen,
} from '@/entities/intervals/rules';
import { NearestIntervals } from './nearest-intervals';

const today = '2026-11-21';
const at = (title: string, own: Partial<Schema<'Interval'>> = {}) =>
  makeInterval({ id: title, title, asap: false, date_string: today, ...own });

const day = (own: Partial<Schema<'Intervals'>> = {}): Schema<'Intervals'> =>
  makeTimes({
    date: today,
    date_today: today,
    dates: [
      {
        date_string: today,
        formatted_string: '21 November',
        day_name: 'Today',
        is_today: true,
        is_tomorrow: false,
      },
      {
        date_string: '2026-11-22',
        formatted_string: '22 November',
        day_name: 'Tomorrow',
        is_today: false,
        is_tomorrow: true,
      },
    ],
    intervals: [at('18:00–18:30', { disabled: true }), at('18:30–19:00'), at('19:00–19:30')],
    ...own,
  });

describe('nearest times', () => {
  const ids = (list: Schema<'Interval'>[]) => list.map(({ id }) => id);
  const all = ['a', 'b', 'c', 'd'].map((id) => at(id));

  it('are three that are available', () => {
    expect(ids(nearestOf([at('full', { disabled: true }), ...all]))).toEqual(['a', 'b', 'c']);
    expect(ids(nearestOf([]))).toEqual([]);
  });

  it('begin with the chosen one when it is later than these', () => {
    expect(ids(nearestOf(all, at('d')))).toEqual(['d', 'a', 'b']);
    expect(ids(nearestOf(all, at('b')))).toEqual(['a', 'b', 'c']);
  });

  const later = (title: string) => at(title, { date_string: '2026-11-22' });
  const soonest = at('asap', { asap: true });

  it.each([
    ['its own day no longer has it', at('17:00–17:30'), day(), today, true],
    ['the cart has outgrown it', at('18:00–18:30'), day(), today, true],
    ['its own day has it', at('18:30–19:00'), day(), today, false],
    ['another day was asked for', later('17:00–17:30'), day(), today, false],
    [
      'the first day with a free time is a later one',
      at('18:30–19:00'),
      day({ date: '2026-11-22', intervals: [] }),
      undefined,
      true,
    ],
    ['the first day with a free time is before it', later('18:30–19:00'), day(), undefined, false],
    ['nothing is soon any more', soonest, day(), undefined, true],
    ['nothing is soon on another day', soonest, day({ date: '2026-11-22' }), '2026-11-22', false],
    ['nothing was chosen', undefined, day(), today, false],
  ])('know whether a chosen time is lost when %s', (_, chosen, listed, asked, isLost) => {
    expect(isGone(chosen, listed, asked)).toBe(isLost);
  });

  it('have the chosen one as the cart has it', () => {
    const listed = day({ intervals: [{ ...soonest, end_timestamp: 100 }] });
    const chosen = { ...soonest, end_timestamp: 200 };
    expect(withChosen(listed, chosen).intervals).toEqual([chosen]);
    expect(differsFromList(chosen, listed, undefined)).toBe(true);
    expect(differsFromList(listed.intervals[0], listed, undefined)).toBe(false);
  });
});

describe('times of the order', () => {
  const sent = vi.fn();
  beforeEach(() => {
    sent.mockClear();
    server.use(
      answer('put', '/cart', () => ({ cart: makeCart([], { delivery_address: makeAddress() }) })),
      answer('post', '/schedule/intervals', () => day()),
      answer('put', '/cart/set-interval', async ({ request }) => {
        sent(await request.json());
        return { cart: makeCart([], { delivery_address: makeAddress() }) };
      }),
    );
    setPlace(1, { orderType: 'delivery', address: makeAddress() });
  });

  it('are chosen in the dialog, which closes', async () => {
    const { user } = renderInCity(<p />);
    openModal('intervals');
    const free = await screen.findByRole('button', { name: '18:30–19:00' }, { timeout: 5000 });
    expect(screen.getByRole('button', { name: /18:00–18:30/ })).toHaveProperty('disabled', true);
    expect(screen.getByRole('button', { name: 'Today' }).getAttribute('aria-pressed')).toBe('true');
    await user.click(free);
    await waitFor(() => expect(sent).toHaveBeenCalledWith({ city_id: 1, interval: '18:30–19:00' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('are under days that begin with a capital letter', async () => {
    const { dates } = day();
    const monday = { ...dates[1], date_string: '2026-11-23', day_name: 'понедельник' };
    const later = { ...monday, formatted_string: '23 ноября', is_today: false, is_tomorrow: false };
    server.use(answer('post', '/schedule/intervals', () => day({ dates: [...dates, later] })));
    renderInCity(<p />);
    openModal('intervals');
    await screen.findByRole('button', { name: 'Понедельник, 23 ноября' }, { timeout: 5000 });
  });

  it('are those of the first day with a time when the chosen day has none any more', async () => {
    const interval = at('23:00–23:30', { date_string: '2026-11-20' });
    server.use(
      answer('put', '/cart', () => ({
        cart: makeCart([], { delivery_address: makeAddress(), interval }),
      })),
      answer('post', '/schedule/intervals', async ({ request }) => {
        const { date } = (await request.json()) as { date?: string };
        return date ? day({ date, intervals: [] }) : day();
      }),
    );
    renderInCity(<p />);
    openModal('intervals');
    await screen.findByRole('button', { name: '18:30–19:00' }, { timeout: 5000 });
    expect(screen.getByRole('button', { name: 'Today' }).getAttribute('aria-pressed')).toBe('true');
  });

  it('are shown as taken when all of a day are', async () => {
    const message = 'Every delivery slot of this day is taken. Please order for another day';
    server.use(answer('post', '/schedule/intervals', () => day({ intervals: [], message })));
    renderInCity(<p />);
    openModal('intervals');
    await screen.findByText(message);
  });

  it('are shown as paused while the kitchen takes no orders, and until when', async () => {
    const message = 'We are not taking orders until 18:30. Please choose a later time';
    const paused = at('18:00–18:30', { disabled: true, disabled_reason: 'pause' });
    const intervals = [paused, at('19:00–19:30')];
    server.use(answer('post', '/schedule/intervals', () => day({ intervals, message })));
    renderInCity(<p />);
    openModal('intervals');
    await screen.findByText(message);
    const button = screen.getByRole('button', { name: '18:00–18:30 Paused' });
    expect(button).toHaveProperty('disabled', true);
  });

  it('say beside the order why they did not load', async () => {
    server.use(refuse('post', '/schedule/intervals', 500, { message: 'Something broke' }));
    renderInCity(<NearestIntervals />);
    await screen.findByText(/The times did not load\. Something broke/);
  });

  it('can be asked for again when they did not load', async () => {
    server.use(refuse('post', '/schedule/intervals', 500, { message: 'Something broke' }));
    const { user } = renderInCity(<p />);
    openModal('intervals');
    await screen.findByText('Something broke');
    server.use(answer('post', '/schedule/intervals', () => day()));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('button', { name: '18:30–19:00' });
  });

  it('wait for the place', async () => {
    setPlace(1, { orderType: 'delivery', address: undefined });
    server.use(answer('put', '/cart', () => ({ cart: makeCart() })));
    renderInCity(<p />);
    openModal('intervals');
    await screen.findByRole('button', { name: 'Choose the place' });
  });

  it('are offered beside the form, the nearest first', async () => {
    const { user } = renderInCity(<NearestIntervals />);
    await user.click(await screen.findByRole('button', { name: '18:30–19:00' }));
    await waitFor(() => expect(sent).toHaveBeenCalledWith({ city_id: 1, interval: '18:30–19:00' }));
    expect(screen.queryByRole('button', { name: /18:00–18:30/ })).toBeNull();
  });

  it('say their day where it is not today, and why there is none today', async () => {
    const date = { date_string: '2026-11-22', is_today: false };
    const message = 'This shop has already closed. Order for tomorrow';
    const intervals = [
      at('09:00–09:30', { ...date, is_tomorrow: true }),
      at('10:00–10:30', { ...date, day_name: 'Monday', formatted_string: 'November 23' }),
    ];
    server.use(answer('post', '/schedule/intervals', () => day({ ...date, intervals, message })));
    renderInCity(<NearestIntervals />);
    await screen.findByRole('button', { name: '09:00–09:30 tomorrow' });
    screen.getByRole('button', { name: '10:00–10:30 Monday, November 23' });
    screen.getByText(message);
  });

  describe('that were chosen and are gone', () => {
    const delivery_address = makeAddress();
    const lost = at('17:00–17:30');
    const cartAt = (interval?: Schema<'Interval'>) =>
      makeCart([makeLine()], { delivery_address, interval });
    beforeEach(() => {
      server.use(
        answer('put', '/cart', () => ({ cart: cartAt(lost) })),
        answer('put', '/cart/set-interval', async ({ request }) => {
          const body = (await request.json()) as { interval: string };
          sent(body.interval);
          const chosen = day().intervals.find(({ id }) => id === body.interval);
          return { cart: cartAt(chosen) };
        }),
      );
    });

    it('are replaced by the nearest one after a tap, and by none without it', async () => {
      const { user } = renderInCity([
        <ChangesNotice key="changes" />,
        <NearestIntervals key="times" />,
      ]);
      await screen.findByText('17:00–17:30 is no longer available. Nearest time: 18:30–19:00');
      expect(sent.mock.calls).toEqual([['']]);
      await user.click(screen.getByRole('button', { name: 'Take 18:30–19:00' }));
      await waitFor(() => expect(sent.mock.calls).toEqual([[''], ['18:30–19:00']]));
      await waitFor(() => expect(screen.queryByText(/no longer available/)).toBeNull());
    });

    it('leave the focus at the order button once another one is taken', async () => {
      const { user } = renderInCity([
        <ChangesNotice key="changes" />,
        <NearestIntervals key="times" />,
        <OrderStep key="step" />,
      ]);
      await user.click(await screen.findByRole('button', { name: 'Take 18:30–19:00' }));
      await waitFor(() => expect(screen.queryByText(/no longer available/)).toBeNull());
      expect(document.activeElement?.textContent).toMatch(/^Check out/);
    });

    it('are shown with their day', async () => {
      const date = { date_string: '2026-11-22', is_today: false, is_tomorrow: true };
      const intervals = [at('09:30–10:00', date)];
      const start_timestamp = Date.parse('2026-11-22T08:00:00Z') / 1000;
      const morning = at('09:00–09:30', { ...date, start_timestamp });
      server.use(
        answer('put', '/cart', () => ({ cart: cartAt(morning) })),
        answer('post', '/schedule/intervals', () => day({ date: '2026-11-22', intervals })),
      );
      renderInCity([<ChangesNotice key="changes" />, <NearestIntervals key="times" />]);
      await screen.findByText(
        '09:00–09:30 (tomorrow) is no longer available. Nearest time: 09:30–10:00 (tomorrow)',
      );
    });

    it('are shown with the date that they have after midnight', async () => {
      const date = { date_string: '2026-11-22', is_today: false, is_tomorrow: false };
      const night = at('00:30–01:00', {
        ...date,
        day_name: 'Monday',
        formatted_string: 'November 23',
        start_timestamp: Date.parse('2026-11-22T23:30:00Z') / 1000,
      });
      const intervals = [at('09:30–10:00', { ...date, is_tomorrow: true })];
      server.use(
        answer('put', '/cart', () => ({ cart: cartAt(night) })),
        answer('post', '/schedule/intervals', () => day({ date: '2026-11-22', intervals })),
      );
      vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-21T12:00:00Z'));
      renderInCity([<ChangesNotice key="changes" />, <NearestIntervals key="times" />]);
      await screen.findByText(/^00:30–01:00 \(Monday, November 23\) is no longer available/);
    });

    it('are not replaced by the soonest one by itself', async () => {
      const soonest = at('asap', { asap: true, start_timestamp: 1 });
      server.use(answer('post', '/schedule/intervals', () => day({ intervals: [soonest] })));
      renderInCity([<ChangesNotice key="changes" />, <NearestIntervals key="times" />]);
      await screen.findByText(/17:00–17:30 is no longer available/);
      expect(sent.mock.calls).toEqual([['']]);
    });

    it('are not replaced by it on a device whose clock is a day ahead', async () => {
      const serverNow = lost.end_timestamp * 1000 - 3_600_000;
      vi.spyOn(Date, 'now').mockReturnValue(serverNow + 24 * 3_600_000);
      const headers = { Date: new Date(serverNow).toUTCString() };
      const soonest = at('asap', { asap: true, start_timestamp: 1 });
      server.use(
        http.put('*/api/cart', () => HttpResponse.json({ cart: cartAt(lost) }, { headers })),
        answer('post', '/schedule/intervals', () => day({ intervals: [soonest] })),
      );
      renderInCity([<ChangesNotice key="changes" />, <NearestIntervals key="times" />]);
      await screen.findByText(/17:00–17:30 is no longer available/);
      expect(sent.mock.calls).toEqual([['']]);
    });

    it.each([
      [[at('18:30–19:00')], 'The soonest time is no longer available. Nearest time: 18:30–19:00'],
      [[], 'The soonest time is no longer available. Choose another time'],
    ])('are shown without their title when it was the soonest one: %#', async (intervals, text) => {
      const soonest = at('asap', { asap: true, title: 'As soon as possible' });
      server.use(
        answer('post', '/schedule/intervals', () => day({ intervals })),
        answer('put', '/cart', () => ({ cart: cartAt(soonest) })),
      );
      renderInCity([<ChangesNotice key="changes" />, <NearestIntervals key="times" />]);
      await screen.findByText(text);
    });

    it('lead to all the others when none of that day is left', async () => {
      server.use(answer('post', '/schedule/intervals', () => day({ intervals: [] })));
      const { user } = renderInCity([
        <ChangesNotice key="changes" />,
        <NearestIntervals key="times" />,
      ]);
      await screen.findByText('17:00–17:30 is no longer available. Choose another time');
      await user.click(screen.getByRole('button', { name: 'Choose another time' }));
      await screen.findByRole('dialog', { name: 'When to bring it' });
    });
  });
});

describe('the time nearest to one that is gone', () => {
  const times = [1, 2, 3, 4].map((start_timestamp) =>
    at(`${start_timestamp}`, { start_timestamp }),
  );
  const nearest = (start: number, taken: number[] = []) =>
    nearestTo(
      { start_timestamp: start },
      times.map((time) => ({ ...time, disabled: taken.includes(time.start_timestamp) })),
    )?.id;

  it('is the next one that is free, else the last before it', () => {
    expect(nearest(2)).toBe('2');
    expect(nearest(2, [2, 3])).toBe('4');
    expect(nearest(3, [3, 4])).toBe('2');
    expect(nearest(1, [1, 2, 3, 4])).toBeUndefined();
  });
});
