import type { Schema } from '@/api/types';

/** The diameter of the Earth in kilometres. */
const earthDiameter = 12_742;

const toRadians = (degrees: number) => (degrees * Math.PI) / 180;

/** Returns the kilometres between two points along the great circle, by the haversine formula. */
export function kilometresBetween(a: Schema<'Coordinates'>, b: Schema<'Coordinates'>): number {
  const north = Math.sin(toRadians(b.latitude - a.latitude) / 2) ** 2;
  const east = Math.sin(toRadians(b.longitude - a.longitude) / 2) ** 2;
  const arc = north + Math.cos(toRadians(a.latitude)) * Math.cos(toRadians(b.latitude)) * east;
  return earthDiameter * Math.asin(Math.sqrt(arc));
}

/** Returns the city nearest to a point; undefined when no city has coordinates. */
export function nearestCity(
  cities: readonly Schema<'CityBrief'>[],
  point: Schema<'Coordinates'>,
): Schema<'CityBrief'> | undefined {
  let nearest: Schema<'CityBrief'> | undefined;
  let shortest = Number.POSITIVE_INFINITY;
  for (const city of cities) {
    if (!city.coordinates) continue;
    const distance = kilometresBetween(city.coordinates, point);
    if (distance < shortest) {
      nearest = city;
      shortest = distance;
    }
  }
  return nearest;
}
