// Placing pieces: scattering without crowding, heaps, rings of sauce.
import { tint } from '../draw/scene.mjs';
import { noise, fractal, cells } from '../draw/noise.mjs';
import { mix, smooth, clamp } from '../draw/colour.mjs';
import { INGREDIENTS } from '../ingredients/table.mjs';
import { SAUCES, FLECKED } from '../ingredients/sauces.mjs';

/** n points where `inside(random)` allows, each as far as possible from its own kind and from `taken`. */
export function spread(n, inside, random, taken = [], tries = 12) {
  const own = [];
  for (let i = 0; i < n; i++) {
    let best = null, far = -1;
    for (let t = 0; t < tries; t++) {
      const p = inside(random);
      let d = 1e9;
      for (const q of own) d = Math.min(d, Math.hypot(p.x - q.x, p.y - q.y));
      for (const q of taken) d = Math.min(d, Math.hypot(p.x - q.x, p.y - q.y) * 1.5);
      if (d > far) { far = d; best = p; }
    }
    own.push(best);
  }
  taken.push(...own);
  return own;
}

/** Points of a disk (or of an angle of it). */
export function disk(x, y, r, from = 0, to = Math.PI * 2) {
  return (random) => {
    const a = random.range(from, to), q = r * Math.sqrt(random.next());
    return { x: x + Math.cos(a) * q, y: y + Math.sin(a) * q };
  };
}

/** Points of a rectangle. */
export const rect = (x, y, w, h) => (random) => ({ x: x + random.range(-w / 2, w / 2), y: y + random.range(-h / 2, h / 2) });

/** Lays n pieces of an ingredient at spread points. */
export function lay(scene, name, n, inside, size, random, taken, more = {}) {
  const it = INGREDIENTS[name];
  for (const p of spread(Math.max(1, Math.round(n * (it.many ?? 1) * (it.small ? 1.5 : 1))), inside, random, taken)) {
    it.piece(scene, { x: p.x, y: p.y, turn: random.angle(), ...more }, size, random);
  }
}

/** A pool of sauce with a wavy edge; `part` < 1 leaves holes. */
export function pool(scene, name, x, y, rx, ry, { t = 6, wave = 0.12, seed = 1, base, follow = 0.8, gloss = 0.75, over = true } = {}) {
  const s = SAUCES[name], fleck = FLECKED.has(name);
  scene.put({ x, y, rx: rx * 1.1, ry: ry * 1.1, base, follow, over }, (u, v, o) => {
    const a = Math.atan2(v, u);
    const q = Math.hypot(u / rx, v / ry) + (noise(Math.cos(a) * 2 + 4, Math.sin(a) * 2 + 4, seed) - 0.5) * wave * 2;
    const d = (1 - q) * Math.min(rx, ry);
    if (d <= -0.5) return;
    o.a = clamp(d * scene.k * 0.7 + 0.5);
    paintSauce(o, s, fleck, u, v, seed);
    o.z += t * Math.sqrt(clamp(d / 10));
    o.gloss = gloss;
  });
}

/** The surface of a sauce. */
export function paintSauce(o, s, fleck, u, v, seed) {
  const n = fractal(u / 46, v / 46, seed);
  let c = mix(s.colour, s.second, fleck ? smooth(0.5, 0.9, n) * 0.25 : smooth(0.3, 0.85, n) * 0.75);
  if (fleck) {
    const p = cells(u / 11, v / 11, seed + 2), pick = noise(u / 11, v / 11, seed + 8);
    const f = smooth(0.3, 0.16, p) * smooth(0.35, 0.5, pick);
    c = mix(c, s.second, f); o.z += f * 1.6;
  }
  tint(o, c);
  o.z += (n - 0.5) * 3; o.soft = 0.6; o.gloss = 0.75;
}

/** A thread of sauce drizzled in a zigzag over a box of w×h. */
export function drizzle(scene, name, x, y, w, h, random, { turns = 7, width = 11, turn = 0, clip } = {}) {
  const s = SAUCES[name], fleck = FLECKED.has(name), seed = Math.floor(random.next() * 1e6);
  const c = Math.cos(turn), n = Math.sin(turn);
  const steps = Math.round((turns * 2 * h + w) / (width * 0.42));
  for (let i = 0; i <= steps; i++) {
    const q = i / steps;
    const u = (q - 0.5) * w, v = Math.sin(q * turns * Math.PI * 2 + seed) * h * 0.5 * (0.8 + 0.3 * noise(q * 9, 1, seed));
    const px = x + u * c - v * n, py = y + u * n + v * c;
    if (clip && !clip(px, py)) continue;
    const r = width * (0.42 + 0.4 * noise(q * 40, 2, seed));
    scene.put({ x: px, y: py, rx: r + 1, follow: 1, base: 0, over: true }, (a, b, o) => {
      const d = r - Math.hypot(a, b);
      if (d <= -0.5) return;
      o.a = clamp(d * 0.5 + 0.3);
      o.z = 0.35 * Math.sqrt(clamp(d / r));
      tint(o, fleck ? mix(s.colour, s.second, 0.12) : mix(s.colour, s.second, 0.25));
      o.gloss = 0.85; o.soft = 0.6;
    });
  }
}
