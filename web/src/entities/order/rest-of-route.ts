import type { Schema } from '@/api/types';
import { metresBetween } from '@/entities/city/distance';

/** How far beside the route a courier may be and still be on it, in metres. */
const beside = 150;

type Corner = readonly number[];

const toPoint = ([latitude = 0, longitude = 0]: Corner) => ({ latitude, longitude });

/** Returns the point nearest to `at` on the line from `a` to `b`; a city is small enough to count as flat. */
function nearestOn(a: Corner, b: Corner, at: Schema<'Coordinates'>): Corner {
  const [from, to] = [toPoint(a), toPoint(b)];
  const narrow = Math.cos((at.latitude * Math.PI) / 180);
  const [x, y] = [(to.longitude - from.longitude) * narrow, to.latitude - from.latitude];
  const [px, py] = [(at.longitude - from.longitude) * narrow, at.latitude - from.latitude];
  const length = x * x + y * y;
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, (px * x + py * y) / length));
  return [
    from.latitude + share * (to.latitude - from.latitude),
    from.longitude + share * (to.longitude - from.longitude),
  ];
}

/**
 * Returns the part of a route that is still before the courier, from where they are; all of it for a courier who
 * is not on it.
 */
export function restOfRoute(route: readonly Corner[], at: Schema<'Coordinates'>): Corner[] {
  let next = 0;
  let least = beside;
  route.slice(1).forEach((corner, i) => {
    const metres = metresBetween(toPoint(nearestOn(route[i] ?? corner, corner, at)), at);
    if (metres < least) {
      least = metres;
      next = i + 1;
    }
  });
  return next === 0 ? [...route] : [[at.latitude, at.longitude], ...route.slice(next)];
}
