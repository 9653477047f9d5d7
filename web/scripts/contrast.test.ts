import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const brands = ['sushi', 'shawarma', 'pizza'] as const;
const schemes = ['light', 'dark'] as const;
type Rgb = [number, number, number];

/** Linear sRGB of an OKLCH colour, cut to what a screen can show. */
function toLinear(lightness: number, chroma: number, hue: number): Rgb {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const rgb: Rgb = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return rgb.map((part) => Math.min(1, Math.max(0, part))) as Rgb;
}

const luminance = ([r, g, b]: Rgb) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

function contrast(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

const pair = /--([a-z0-9-]+):\s*light-dark\(\s*oklch\(([^)/]+)(?:\/[^)]*)?\),\s*oklch\(([^)/]+)/g;

function colours(brand: string, scheme: (typeof schemes)[number]): Map<string, Rgb> {
  const css = ['tokens.css', `themes/${brand}.css`]
    .map((file) => readFileSync(`src/styles/${file}`, 'utf8'))
    .join('\n');
  const found = new Map<string, Rgb>();
  for (const [, name = '', light = '', dark = ''] of css.matchAll(pair)) {
    const [l = 0, c = 0, h = 0] = (scheme === 'light' ? light : dark)
      .trim()
      .split(/\s+/)
      .map(Number);
    found.set(name, toLinear(l, c, h));
  }
  return found;
}

const grounds = ['ground', 'surface', 'raised'];
const text: [string, string][] = [
  ...grounds.flatMap((ground): [string, string][] => [
    ['ink', ground],
    ['ink-soft', ground],
  ]),
  ...['ground', 'surface'].flatMap((ground): [string, string][] => [
    ['accent-ink', ground],
    ['good', ground],
    ['warn', ground],
    ['danger', ground],
  ]),
  ['on-accent', 'accent'],
  ['on-tint', 'tint'],
  ['ink', 'tint'],
  ['good', 'good-tint'],
  ['warn', 'warn-tint'],
  ['danger', 'danger-tint'],
  ['ink', 'good-tint'],
  ['ink', 'warn-tint'],
  ['ink', 'danger-tint'],
  ['on-danger', 'danger-fill'],
];
const parts: [string, string][] = [
  ['edge', 'ground'],
  ['edge', 'surface'],
  ['accent-ink', 'raised'],
  ['accent-ink', 'tint'],
  ['zone-1', 'surface'],
  ['zone-3', 'surface'],
  ['zone-4', 'surface'],
];

describe.each(brands)('%s', (brand) => {
  describe.each(schemes)('%s', (scheme) => {
    const palette = colours(brand, scheme);
    const ratio = (front: string, back: string) => {
      const one = palette.get(front);
      const other = palette.get(back);
      if (!one || !other) throw new Error(`no such token: ${front} or ${back}`);
      return contrast(one, other);
    };

    it.each(text)('%s is readable on %s', (front, back) => {
      expect(ratio(front, back)).toBeGreaterThanOrEqual(4.5);
    });

    it.each(parts)('%s can be shown from %s', (front, back) => {
      expect(ratio(front, back)).toBeGreaterThanOrEqual(3);
    });
  });
});
