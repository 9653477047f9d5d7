import { onServerClock } from '@/api/server-clock';
import type { Schema } from '@/api/types';
import { readCookie, setCookie } from '@/lib/storage';
import { type CityClock, wallTime } from '@/lib/wall-time';

type Banner = Schema<'MarketingBanner'>;

const hour = 3_600_000;
const units = { hours: hour, days: 24 * hour };

/** How long no banner opens after one was closed, in milliseconds. */
export const snoozeTime = 60_000;

const snoozeCookie = 'banner_snooze';
/** Returns the name of the cookie that has the moment when a banner was last shown. */
const shownCookie = (id: number) => `banner_${id}`;

/** Reads a moment in milliseconds since 1970 from a cookie that has it in seconds; 0 when there is none. */
function readMoment(name: string): number {
  return (Number(readCookie(name)) || 0) * 1000;
}

/** Stores in a cookie, for 256 days, when a banner was shown. */
export function recordShown(id: number, now = Date.now()): void {
  setCookie(shownCookie(id), String(Math.floor(now / 1000)));
}

/** Stores in a cookie that no banner opens for a minute. */
export function snoozeBanners(now = Date.now()): void {
  const until = Math.ceil((now + snoozeTime) / 1000);
  setCookie(snoozeCookie, String(until), snoozeTime / (24 * hour));
}

/** Returns for how many more milliseconds no banner opens. */
export const snoozeLeft = (now = Date.now()): number => Math.max(0, readMoment(snoozeCookie) - now);

/** Returns the first banner of a city for a page that may open now. */
export function findBanner(
  city: CityClock & Pick<Schema<'City'>, 'banners'>,
  page: string,
  now = Date.now(),
): Banner | undefined {
  return city.banners.find(
    (banner) =>
      banner.page_url.includes(page) &&
      isInTime(banner, city, onServerClock(now)) &&
      isDueAgain(banner, now),
  );
}

/** Reports whether the city's time is between the start and the end of the banner. */
function isInTime({ schedule }: Banner, city: CityClock, now: number): boolean {
  const { from, to } = schedule.show_time;
  const wall = wallTime(now, city);
  const two = (n: number) => String(n).padStart(2, '0');
  const shown = `${wall.year}-${two(wall.month)}-${two(wall.day)} ${two(wall.hour)}:${two(wall.minute)}`;
  if (from && shown < `${from.date} ${from.time}`) return false;
  return !to || shown < `${to.date} ${to.time}`;
}

/** Reports whether the banner was last shown long enough ago for its frequency. */
function isDueAgain({ id, schedule }: Banner, now: number): boolean {
  const last = readMoment(shownCookie(id));
  return now - last >= schedule.display_frequency * units[schedule.display_frequency_type];
}
