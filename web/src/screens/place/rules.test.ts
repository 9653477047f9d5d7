import { describe, expect, it } from 'vitest';
import { metresBetween, roundedDistance } from '@/entities/city/distance';
import { makeCity } from '@/testing/fixtures';
import { makeFoundAddress, makeShop } from '@/testing/places';
import { nextStep } from './address/address-answer';
import { reasonToAsk } from './address/address-question';
import { findShops, takeawayShops } from './shops/shop-search';

describe('shop search', () => {
  const mitte = makeShop({ id: 1, name: 'Mitte', address: { street: 'Torstraße 5' } });
  const far = makeShop({
    id: 2,
    name: 'Köpenick',
    address: { street: 'Bölschestraße 1' },
    map: { coordinates: { latitude: 52.44, longitude: 13.58 }, zoom: 15 },
  });
  const stopped = makeShop({ id: 3, name: 'Wedding', type: 'stop' });
  const names = (...args: Parameters<typeof findShops>) =>
    findShops(...args).map(({ shop }) => shop.name);

  it('finds by name or street whatever the case', () => {
    expect(names([mitte, far], 'MITTE')).toEqual(['Mitte']);
    expect(names([mitte, far], 'bölsche')).toEqual(['Köpenick']);
    expect(names([mitte, far], 'bolsche')).toEqual(['Köpenick']);
    expect(names([mitte, far], 'nowhere')).toEqual([]);
  });

  it('finds dotted and dotless letters alike', () => {
    const kadikoy = makeShop({ name: 'Kadıköy' });
    expect(names([kadikoy], 'KADIKOY')).toEqual(['Kadıköy']);
  });

  it('finds a street with ß by its ss', () => {
    const shop = makeShop({ name: 'Mitte', address: { street: 'Torstraße 1' } });
    expect(names([shop], 'torstrasse')).toEqual(['Mitte']);
  });

  it('puts the nearest first once the position is known, the stopped last', () => {
    expect(names([stopped, far, mitte], '', { latitude: 52.52, longitude: 13.4 })).toEqual([
      'Mitte',
      'Köpenick',
      'Wedding',
    ]);
    expect(findShops([mitte], '')[0]?.distance).toBeUndefined();
  });
});

describe('shops for takeaway', () => {
  const city = makeCity();
  const mitte = makeShop({ id: 1 });
  const kitchen = makeShop({ id: 2, order_types: { delivery: true, takeaway: false } });

  it('are those that sell takeaway', () => {
    expect(takeawayShops([kitchen, mitte], city)).toEqual([mitte]);
  });

  it('are all shops of a city where none sells takeaway', () => {
    expect(takeawayShops([kitchen], city)).toEqual([kitchen]);
  });

  it('are all shops of a city without takeaway', () => {
    const delivering = makeCity({ order_types: { delivery: true, takeaway: false } });
    expect(takeawayShops([kitchen, mitte], delivering)).toEqual([kitchen, mitte]);
  });

  it('are all shops of an answer that was stored before shops had order types', () => {
    const { order_types: _, ...stored } = mitte;
    expect(takeawayShops([stored as typeof mitte], city)).toEqual([stored]);
  });
});

describe('next step after a look-up', () => {
  const address = makeFoundAddress();
  it.each([
    ['available', address, 'details'],
    ['available', makeFoundAddress({ type: 'street', house: undefined }), 'house'],
    ['available', makeFoundAddress({ type: 'point' }), 'details'],
    ['not_available', address, 'elsewhere'],
    ['unknown', undefined, 'unknown'],
    ['unknown', makeFoundAddress({ type: 'locality', delivery_possible: false }), 'street'],
  ] as const)('of %s is asked right', (result, delivery_address, step) => {
    expect(nextStep({ result, delivery_address }).step).toBe(step);
  });

  it('is to order in the other city that the address lies in', () => {
    const other_city = { id: 4, alias: 'samara', name: 'Samara', where: 'in Samara' };
    const check = { result: 'not_available' as const, delivery_address: address, other_city };
    expect(nextStep(check)).toEqual({ step: 'other-city', city: other_city });
  });

  it('asks for no house where a point was set', () => {
    const delivery_address = makeFoundAddress({ type: 'street', house: undefined });
    expect(nextStep({ result: 'available', delivery_address }, true).step).toBe('details');
  });
});

describe('distance', () => {
  it('is measured along the great circle', () => {
    const berlin = { latitude: 52.52, longitude: 13.405 };
    const hamburg = { latitude: 53.5511, longitude: 9.9937 };
    expect(Math.round(metresBetween(berlin, hamburg) / 1000)).toBe(255);
    expect(metresBetween(berlin, berlin)).toBe(0);
  });

  it.each([
    [3, 10, 'm', 0],
    [347, 350, 'm', 0],
    [996, 0.996, 'km', 1],
    [12_400, 12.4, 'km', 0],
  ] as const)('of %d m is said in round figures', (metres, value, unit, decimals) => {
    expect(roundedDistance(metres)).toEqual({ value, unit, decimals });
  });
});

describe('a saved address', () => {
  it('is asked about when it is in another city or far from the visitor', () => {
    const address = makeFoundAddress();
    const here = address.map.coordinates;
    expect(reasonToAsk(address, 1, undefined)).toBeUndefined();
    expect(reasonToAsk(address, 1, here)).toBeUndefined();
    expect(reasonToAsk(address, 1, { ...here, latitude: here.latitude + 0.01 })).toBe('far');
    expect(reasonToAsk(address, 2, here)).toBe('other-city');
  });
});
