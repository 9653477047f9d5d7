import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Schema } from '@/api/types';
import { makeBanner, makeCity, makePageData } from '@/testing/fixtures';
import { renderInCity } from '@/testing/render';
import { closeAllModals, openModal } from '@/ui/modals/modal-store';
import { findBanner, recordShown, snoozeBanners, snoozeLeft } from './banner-rules';
import BannerWatch from './banner-watch';

const minute = 60_000;
const hour = 60 * minute;
const start = Date.parse('2026-12-01T09:00:00Z');

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true, now: start }));
afterEach(() => {
  vi.useRealTimers();
  for (const name of ['banner_1', 'banner_2', 'banner_snooze']) {
    // biome-ignore lint/suspicious/noDocumentCookie: the cookies of the test are taken away
    document.cookie = `${name}=; Path=/; Max-Age=0`;
  }
});

describe('the banner of a page', () => {
  const find = (own: Partial<Schema<'MarketingBanner'>>, page = '/berlin', now = start) =>
    findBanner({ banners: [makeBanner(own)], timezone: 1 }, page, now)?.id;
  const showTime = (show_time: Schema<'MarketingBanner'>['schedule']['show_time']) => ({
    schedule: { ...makeBanner().schedule, show_time },
  });

  it('opens over the pages that it names alone', () => {
    expect(find({ page_url: ['/berlin', '/berlin/shops'] })).toBe(1);
    expect(find({ page_url: ['/berlin/shops'] })).toBeUndefined();
  });

  it('opens between its moments by the clock of the city', () => {
    expect(find(showTime({ from: { date: '2026-12-01', time: '10:00' } }))).toBe(1);
    expect(find(showTime({ from: { date: '2026-12-01', time: '10:01' } }))).toBeUndefined();
    expect(find(showTime({ to: { date: '2026-12-01', time: '10:01' } }))).toBe(1);
    expect(find(showTime({ to: { date: '2026-12-01', time: '10:00' } }))).toBeUndefined();
  });

  it.each([
    ['hours', hour],
    ['days', 24 * hour],
  ] as const)('comes again after its frequency in %s', (display_frequency_type, unit) => {
    const schedule = { ...makeBanner().schedule, display_frequency: 2, display_frequency_type };
    recordShown(1, start);
    expect(find({ schedule }, '/berlin', start + 2 * unit - 1000)).toBeUndefined();
    expect(find({ schedule }, '/berlin', start + 2 * unit)).toBe(1);
  });
});

describe('the cookies of banners', () => {
  it('keep when one was shown for 256 days and a snooze for a minute', () => {
    const written = vi.spyOn(document, 'cookie', 'set');
    recordShown(1);
    snoozeBanners();
    const seconds = start / 1000;
    expect(written.mock.calls[0]?.[0]).toContain(`banner_1=${seconds}; Path=/; Max-Age=22118400;`);
    expect(written.mock.calls[1]?.[0]).toContain(
      `banner_snooze=${seconds + 60}; Path=/; Max-Age=60;`,
    );
    expect(snoozeLeft()).toBe(minute);
    expect(snoozeLeft(start + minute)).toBe(0);
  });
});

describe('a banner', () => {
  const data = makePageData({
    path: '/berlin',
    city: makeCity({
      banners: [makeBanner(), makeBanner({ id: 2, name: 'Second offer' })],
    }),
  });
  const advanceTime = (time: number) => act(() => vi.advanceTimersByTimeAsync(time));

  it('opens after its delay, once, and the next one a minute after it was closed', async () => {
    const { user } = renderInCity(<BannerWatch />, { data });
    await advanceTime(4000);
    expect(screen.queryByRole('dialog')).toBeNull();
    await advanceTime(2000);
    expect(await screen.findByRole('dialog', { name: 'First offer' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'See' }).getAttribute('href')).toBe(
      '/berlin/promotions',
    );
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await advanceTime(50_000);
    expect(screen.queryByRole('dialog')).toBeNull();
    await advanceTime(15_000);
    expect(await screen.findByRole('dialog', { name: 'Second offer' })).toBeTruthy();
  });

  it('waits while another modal is open', async () => {
    renderInCity(<BannerWatch />, { data });
    act(() => void openModal('marketing-banner', { bannerId: 99 }));
    expect(await screen.findByText('This offer is over')).toBeTruthy();
    await advanceTime(10_000);
    expect(screen.queryByText('First offer')).toBeNull();
    act(closeAllModals);
    await advanceTime(65_000);
    expect(await screen.findByRole('dialog', { name: 'First offer' })).toBeTruthy();
  });
});
