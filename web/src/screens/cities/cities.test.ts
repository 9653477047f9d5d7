import { describe, expect, it } from 'vitest';
import type { Schema } from '@/api/types';
import { citiesByCountry, isNamedLike } from './cities-by-country';
import { nearestCity } from './nearest-city';

const city = (
  id: number,
  name: string,
  countryId: number,
  coordinates?: Schema<'Coordinates'>,
): Schema<'CityBrief'> => ({
  id,
  alias: name.toLowerCase(),
  name,
  country: { id: countryId, code: `C${countryId}`, name: `Country ${countryId}` },
  type: 'default',
  order_types: { delivery: true, takeaway: true },
  coordinates,
});

const kazan = city(1, 'Kazan', 1, { latitude: 55.79, longitude: 49.12 });
const moscow = city(2, 'Moscow', 1, { latitude: 55.75, longitude: 37.62 });
const minsk = city(3, 'Minsk', 2, { latitude: 53.9, longitude: 27.57 });

describe('cities', () => {
  it('are grouped by country, big ones first', () => {
    const countries = citiesByCountry({ list: [kazan, minsk, moscow], big_cities: [moscow] });
    expect(countries.map(({ cities }) => cities.map(({ name }) => name))).toEqual([
      ['Moscow', 'Kazan'],
      ['Minsk'],
    ]);
  });

  it('are found by the beginning of any word of their name', () => {
    expect(isNamedLike(city(4, 'Nizhny Novgorod', 1), ' nov')).toBe(true);
    expect(isNamedLike(moscow, 'osc')).toBe(false);
    expect(isNamedLike(moscow, '')).toBe(true);
  });

  it.each([
    ['İstanbul', 'istanbul'],
    ['İstanbul', 'Istan'],
    ['München', 'munch'],
    ['Королёв', 'королев'],
    ['Кам’янське', "кам'ян"],
    ['Gießen', 'giessen'],
  ])('are found as they are typed: %s by %s', (name, words) => {
    expect(isNamedLike(city(4, name, 1), words)).toBe(true);
  });

  it('have their distances along the surface of the earth', () => {
    const cities = [kazan, moscow, minsk, city(5, 'Nowhere', 1)];
    expect(nearestCity(cities, { latitude: 54.2, longitude: 30.2 })?.name).toBe('Minsk');
    expect(nearestCity([city(5, 'Nowhere', 1)], { latitude: 0, longitude: 0 })).toBeUndefined();
  });
});
