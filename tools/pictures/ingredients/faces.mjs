// Faces: what round slices look like across the cut.
import { tint } from '../draw/scene.mjs';
import { fractal, noise, cells } from '../draw/noise.mjs';
import { hex, mix, smooth, clamp } from '../draw/colour.mjs';

/** Skin, flesh and chambers with seeds: tomato, cucumber, lemon, kiwi. */
export function chambered({ skin, flesh, gel, seed: seedColour, n = 5, heart = 0.18, wallPart = 0.3, rind = 0.86 }) {
  const s = hex(skin), f = hex(flesh), g = hex(gel), d = hex(seedColour ?? gel);
  return (q, a, u, v, o, seed) => {
    const sector = (a / 6.2832) * n + 0.3 * noise(q * 3, a, seed);
    const mid = Math.abs(sector - Math.floor(sector) - 0.5) * 2;
    const inside = smooth(1, 1 - wallPart, mid + (1 - q) * 0.12) * smooth(heart, heart + 0.14, q) * smooth(rind, rind - 0.08, q);
    let c = mix(f, g, inside);
    if (seedColour) {
      const p = cells(u / 8, v / 8, seed);
      c = mix(c, d, inside * smooth(0.42, 0.25, p));
      o.z += inside * (smooth(0.45, 0.1, p) * 1.6 - 1.8);
    } else {
      c = mix(c, f, inside * 0.3 * noise(u / 3 + a * 3, q * 14, seed));
      o.z -= inside * 1.2;
    }
    c = mix(c, s, smooth(0.9, 0.97, q));
    tint(o, c, 0.9 + 0.2 * fractal(u / 12, v / 12, seed));
  };
}

/** Cured meat: base colour with flecks of fat and a darker rim. */
export function cured({ c, fat, rim, grain = 7, much = 0.34 }) {
  const a = hex(c), b = hex(fat), r = hex(rim);
  return (q, ang, u, v, o, seed) => {
    const p = fractal(u / grain, v / grain, seed);
    let col = mix(a, b, smooth(0.72 - much * 0.4, 0.82 - much * 0.3, p));
    col = mix(col, r, smooth(0.74, 1, q + (fractal(u / 18, v / 18, seed + 3) - 0.5) * 0.4) * 0.8);
    tint(o, col);
    o.z += (p - 0.5) * 2;
  };
}

/** Rings of colours from the middle to the edge: [[part, hex], …]. */
export function ringed(stops, { blur = 0.03, mottle = 0.16, radial = 0 } = {}) {
  const list = stops.map(([p, c]) => [p, hex(c)]);
  return (q, a, u, v, o, seed) => {
    let c = list[0][1];
    for (let i = 1; i < list.length; i++) c = mix(c, list[i][1], smooth(list[i][0] - blur, list[i][0] + blur, q));
    const n = fractal(u / 10, v / 10, seed);
    const ray = radial ? 1 - radial * (0.5 + 0.5 * Math.sin(a * 26 + noise(q * 5, a * 3, seed) * 4)) * smooth(0.1, 0.4, q) : 1;
    tint(o, c, clamp(1 - mottle + 2 * mottle * n, 0, 2) * ray);
    o.z += (n - 0.5) * 1.4;
  };
}
