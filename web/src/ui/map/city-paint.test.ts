import { describe, expect, it } from 'vitest';
import { mapColours, nameProperties } from './city-paint';

const light = {
  raised: [244, 230, 204],
  surface: [255, 252, 242],
  ink: [58, 29, 22],
  inkSoft: [120, 80, 70],
  accent: [205, 42, 38],
  good: [60, 160, 80],
} as const;
const dark = {
  ...light,
  raised: [60, 42, 38],
  surface: [36, 22, 18],
  ink: [255, 244, 230],
} as const;

const brightness = (colour: string) =>
  (colour.match(/\d+/g) ?? []).reduce((sum, part) => sum + Number(part), 0);

describe('the colours of a map', () => {
  it('are made from the ground of the brand, on which roads are brighter, light or dark', () => {
    for (const palette of [light, dark]) {
      const { earth, road, label } = mapColours(palette);
      expect(earth).toBe(`rgb(${palette.raised.join(', ')})`);
      expect(brightness(road)).toBeGreaterThan(brightness(earth));
      expect(label).toBe(`rgb(${palette.inkSoft.join(', ')})`);
    }
  });
});

describe('the names on a map', () => {
  it('are in the language of the page, then readable ones, then those of the place', () => {
    expect(nameProperties('de')).toEqual(['name:de', 'name:en', 'name']);
    expect(nameProperties('uk')).toEqual(['name:uk', 'name']);
  });
});
