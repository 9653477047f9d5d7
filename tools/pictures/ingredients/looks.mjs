// Looks: what a surface of an ingredient is like. A look paints (u, v) in units onto a paint answer.
import { fractal, noise, cells } from '../draw/noise.mjs';
import { hex, mix, smooth, clamp } from '../draw/colour.mjs';

function set(o, a, b, t, gloss, soft) {
  o.r = a[0] + (b[0] - a[0]) * t; o.g = a[1] + (b[1] - a[1]) * t; o.b = a[2] + (b[2] - a[2]) * t;
  o.gloss = gloss; o.soft = soft;
}

/** Two colours in soft blotches. */
export function mottled(c1, c2 = c1, { scale = 14, gloss = 0.25, soft = 0.4, bump = 1 } = {}) {
  const a = hex(c1), b = hex(c2);
  return (u, v, o, seed = 0) => {
    const n = fractal(u / scale, v / scale, seed);
    set(o, a, b, smooth(0.25, 0.75, n), gloss, soft);
    o.z = (o.z || 0) + (n - 0.5) * bump * 3;
  };
}

/** Fibres along u, as in meat. */
export function fibrous(c1, c2, { across = 5, along = 40, gloss = 0.3, soft = 0.3, bump = 1.4 } = {}) {
  const a = hex(c1), b = hex(c2);
  return (u, v, o, seed = 0) => {
    const n = fractal(u / along, v / across + noise(u / 30, v / 30, seed) * 2, seed);
    set(o, a, b, smooth(0.2, 0.8, n), gloss, soft);
    o.z = (o.z || 0) + (n - 0.5) * bump * 3;
  };
}

/** Roasted: a base colour with browned spots and dark edges where the noise is high. */
export function roasted(c, brown, dark, { scale = 16, gloss = 0.35, soft = 0.25, amount = 0.5, bump = 2 } = {}) {
  const a = hex(c), b = hex(brown), d = hex(dark);
  return (u, v, o, seed = 0) => {
    const n = fractal(u / scale, v / scale, seed), m = noise(u / 4, v / 4, seed + 3);
    const t = smooth(0.75 - amount * 0.6, 0.95 - amount * 0.3, n + m * 0.18);
    const base = mix(a, b, t);
    set(o, base, d, smooth(0.62, 0.9, n * 0.8 + m * 0.3) * amount, gloss, soft);
    o.z = (o.z || 0) + (n - 0.5) * bump * 4 + (m - 0.5) * 1.2;
  };
}

/** Raw fish: curved pale lines across the flesh. */
export function fish(c, line, { gap = 17, width = 0.34, gloss = 0.75, soft = 0.7, lean = 0.5 } = {}) {
  const a = hex(c), b = hex(line);
  return (u, v, o, seed = 0) => {
    const w = noise(u / 34, v / 34, seed) * 0.9;
    const p = (u + v * lean + (v * v) / 120) / gap + w;
    const f = Math.abs(p - Math.floor(p) - 0.5) * 2;
    const n = fractal(u / 20, v / 20, seed + 5);
    set(o, a, b, smooth(1 - width, 1, f) * 0.75 + (n - 0.5) * 0.16, gloss, soft);
    o.z = (o.z || 0) - smooth(1 - width, 1, f) * 0.9;
  };
}

/** Crumbs and crust: small grains in two tones. */
export function crumbly(c1, c2, { grain = 5, gloss = 0.15, soft = 0.15, bump = 3 } = {}) {
  const a = hex(c1), b = hex(c2);
  return (u, v, o, seed = 0) => {
    const q = cells(u / grain, v / grain, seed), n = fractal(u / 22, v / 22, seed);
    set(o, a, b, clamp(q * 0.75 + (n - 0.5) * 1.1), gloss, soft);
    o.z = (o.z || 0) + (1 - q) * bump + (n - 0.5) * 3;
  };
}

/** Little balls side by side, as in caviar. */
export function beady(c1, c2, { grain = 8, gloss = 0.9, soft = 0.6, bump = 4 } = {}) {
  const a = hex(c1), b = hex(c2);
  return (u, v, o, seed = 0) => {
    const q = cells(u / grain, v / grain, seed);
    set(o, a, b, smooth(0.15, 0.75, q), gloss, soft);
    o.z = (o.z || 0) + Math.sqrt(Math.max(0, 1 - q * q)) * bump;
  };
}

/** Bands across u: bacon, surimi, shrimp. */
export function banded(colours, { gap = 14, wave = 0.8, gloss = 0.4, soft = 0.5, along = false } = {}) {
  const list = colours.map(hex);
  return (u, v, o, seed = 0) => {
    const q = along ? v : u, w = along ? u : v;
    const p = q / gap + noise(w / 26, q / 26, seed) * wave + noise(w / 8, q / 8, seed + 2) * 0.15 + 50;
    const i = Math.floor(p), f = smooth(0.3, 0.7, p - i);
    set(o, list[i % list.length], list[(i + 1) % list.length], f, gloss, soft);
    o.z = (o.z || 0) + Math.sin(p * 6.28) * 0.8;
  };
}

/** Green going from skin to heart along v. */
export function gradient(c1, c2, size, { gloss = 0.4, soft = 0.5 } = {}) {
  const a = hex(c1), b = hex(c2);
  return (u, v, o, seed = 0) => {
    const n = fractal(u / 16, v / 16, seed);
    set(o, a, b, clamp(0.5 + v / size + (n - 0.5) * 0.3), gloss, soft);
    o.z = (o.z || 0) + (n - 0.5) * 1.5;
  };
}
