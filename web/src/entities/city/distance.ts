import type { Schema } from '@/api/types';

type Coordinates = Schema<'Coordinates'>;

const earthRadius = 6_371_000;

const toRadians = (degrees: number) => (degrees * Math.PI) / 180;

/** Returns the metres between two points along the great circle. */
export function metresBetween(a: Coordinates, b: Coordinates): number {
  // The haversine formula; `min` keeps a rounding error out of `asin`.
  const across = Math.sin(toRadians(b.latitude - a.latitude) / 2);
  const along = Math.sin(toRadians(b.longitude - a.longitude) / 2);
  const h =
    across ** 2 + Math.cos(toRadians(a.latitude)) * Math.cos(toRadians(b.latitude)) * along ** 2;
  return 2 * earthRadius * Math.asin(Math.sqrt(Math.min(1, h)));
}

/**
 * Returns a rounded distance: tens of metres below a kilometre, then kilometres, with one decimal
 * below ten.
 */
export function roundedDistance(metres: number): {
  value: number;
  unit: 'm' | 'km';
  decimals: 0 | 1;
} {
  // From 995 m on the metres would be rounded to 1000, and from 9.95 km on the kilometres to 10.0.
  if (metres < 995)
    return { value: Math.max(10, Math.round(metres / 10) * 10), unit: 'm', decimals: 0 };
  const km = metres / 1000;
  return { value: km, unit: 'km', decimals: km < 9.95 ? 1 : 0 };
}
