import { describe, expect, it } from 'vitest';
import type { Schema } from '@/api/types';
import { makeInterval, makeTimes } from '@/testing/orders';
import { citiesByCountry, isNamedLike } from './cities-by-country';
import { nearestCity } from './nearest-city';
import { promisedTime } from './promised-time';

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
  it('stand by country, big ones first', () => {
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

  it('are near or far along the earth', () => {
    const cities = [kazan, moscow, minsk, city(5, 'Nowhere', 1)];
    expect(nearestCity(cities, { latitude: 54.2, longitude: 30.2 })?.name).toBe('Minsk');
    expect(nearestCity([city(5, 'Nowhere', 1)], { latitude: 0, longitude: 0 })).toBeUndefined();
  });
});

describe('the promised time', () => {
  const soonest = (minutes: number) =>
    makeInterval({ start_timestamp: minutes * 60, end_timestamp: (minutes + 12) * 60 });
  const promised = (interval: Schema<'Interval'>) =>
    promisedTime(makeTimes({ now: 0, intervals: [interval] }), undefined);

  it('is rounded up to five minutes', () => {
    expect(promised(soonest(22))).toEqual({ kind: 'minutes', from: 25, to: 35 });
  });

  it('is told by the clock when it is hours away', () => {
    expect(promised(soonest(108))).toMatchObject({ kind: 'minutes', to: 120 });
    expect(promised(soonest(109))).toMatchObject({ kind: 'time' });
  });

  it('is that of the first time that can be had', () => {
    const taken = makeInterval({ disabled: true });
    const free = makeInterval({ id: 'slot', asap: false });
    const times = makeTimes({ intervals: [taken, free] });
    expect(promisedTime(times, undefined)).toEqual({ kind: 'time', interval: free });
    expect(promisedTime(makeTimes({ intervals: [taken] }), undefined)).toBeUndefined();
  });
});
