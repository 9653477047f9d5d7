// Cuts: what a rolled thing (sushi, shawarma) shows when it is cut across, and how its sides are painted.
import { Scene, tint } from '../draw/scene.mjs';
import { shade } from '../draw/light.mjs';
import { noise, fractal, cells } from '../draw/noise.mjs';
import { hex, mix, smooth, clamp } from '../draw/colour.mjs';
import { INGREDIENTS } from '../ingredients/table.mjs';
import { SAUCES, FLECKED } from '../ingredients/sauces.mjs';
import { paintSauce } from './place.mjs';

const RICE = hex('#fffcf0'), RICE_SHADE = hex('#dcd2ba'), NORI = hex('#16241c'), NORI_LIGHT = hex('#2c4434');

/** Cooked rice pressed together: grains in every direction. */
export function riceLook(u, v, o, seed) {
  const w = noise(u / 16, v / 16, seed) * 9;
  const q = cells(u / 13 + w * 0.1, v / 7.5 + w * 0.25, seed);
  const t = smooth(0.42, 0.85, q);
  o.r = RICE[0] + (RICE_SHADE[0] - RICE[0]) * t; o.g = RICE[1] + (RICE_SHADE[1] - RICE[1]) * t; o.b = RICE[2] + (RICE_SHADE[2] - RICE[2]) * t;
  o.z += Math.sqrt(Math.max(0, 1 - q * q)) * 4; o.gloss = 0.4; o.soft = 0.55;
}

/** Roasted seaweed. */
export function noriLook(u, v, o, seed) {
  const n = fractal(u / 9, v / 22, seed);
  tint(o, mix(NORI, NORI_LIGHT, smooth(0.35, 0.8, n)));
  o.z += (n - 0.5) * 1.6; o.gloss = 0.4; o.soft = 0.1;
}

const seeds = (c1, grain, much) => (u, v, o, seed) => {
  riceLook(u, v, o, seed);
  const q = cells(u / grain, v / (grain * 0.62), seed + 9), pick = noise(u / grain, v / grain * 1.6, seed + 4);
  const t = smooth(0.42, 0.3, q) * smooth(1 - much, 1.04 - much, pick + 0.35);
  tint(o, mix([o.r, o.g, o.b], c1, t)); o.z += t * 4;
};

/** How the outside of a roll looks by its coating. */
export function coatLook(name) {
  if (name === 'rice') return riceLook;
  if (name === 'nori') return noriLook;
  if (name === 'sesame') return seeds(hex('#e9c67c'), 15, 0.6);
  if (name === 'sesame-black') return seeds(hex('#1c1814'), 15, 0.6);
  if (name === 'dill') return seeds(hex('#3f8a1e'), 11, 1.1);
  if (name === 'green-onion') return seeds(hex('#5caa24'), 17, 1.05);
  if (name === 'peanut') return seeds(hex('#b97c38'), 19, 1.1);
  return INGREDIENTS[name].look;
}

/** A side painter for a round piece standing at (cx, cy): lit by hand, since sides are not part of the relief. */
export function sideOf(look, cx, cy, r, seed, { top = 100, flat = false } = {}) {
  const o = { r: 0, g: 0, b: 0, z: 0, gloss: 0, soft: 0 }, p = { ...o };
  return (x, y, z, out) => {
    const nx = flat ? -0.05 : clamp((x - cx) / r, -1, 1), ny = Math.sqrt(Math.max(0, 1 - nx * nx));
    const s = flat ? x : Math.asin(nx) * r;
    o.z = 0; p.z = 0;
    look(s, z, o, seed); look(s - 1.6, z + 1.6, p, seed);
    const bump = clamp((o.z - p.z) * 0.16, -0.4, 0.4);
    const light = clamp(0.62 - nx * 0.5 + ny * 0.06 + bump, 0.12, 1.35);
    const fold = 0.5 + 0.5 * smooth(0, top * 0.45, z);
    const k = (0.32 + light * 1.0) * fold;
    const shine = o.gloss > 0.5 ? smooth(0.16, 0.36, bump) * o.gloss * 0.5 : 0;
    out.r = o.r * k * 1.03 + shine; out.g = o.g * k + shine; out.b = o.b * k * 0.92 + shine;
  };
}

/** Painter of one part of a filling: an ingredient or a sauce. */
export function partLook(name) {
  if (INGREDIENTS[name]) {
    const it = INGREDIENTS[name];
    if (it.leafy || it.shred) return { paint: (u, v, o, s) => { it.look(u * 1.5, v * 0.5, o, s); const n = noise(u / 3.4, v / 11, s); const k = 0.55 + 0.6 * n; o.r *= k; o.g *= k; o.b *= k; o.z += n * 6; }, rise: 3 };
    return { paint: it.look, rise: it.meat ? 7 : 5, skin: it.skin && hex(it.skin) };
  }
  const s = SAUCES[name], fleck = FLECKED.has(name);
  return { paint: (u, v, o, seed) => paintSauce(o, s, fleck, u, v, seed), rise: 1.5 };
}

/**
 * The cut across a roll of radius r, as a relief of its own.
 * layers from outside in: [{part: 0..1 radius it starts at, look}], then the filling within `core`.
 */
export function cutFace({ r, layers, core, filling, random, cellsPerPart = 1, crowd = 0, k = 1.5, offset = 0, power = 2.4 }) {
  const size = 2 * r + 12, c = size / 2;
  const scene = new Scene(size, size, k, [0.3, 0.2, 0.1]);
  const seed = Math.floor(random.next() * 1e6);
  const parts = filling.map((f) => ({ ...partLook(f), thin: !INGREDIENTS[f] }));
  const points = [];
  const turn = random.angle(), n = parts.length * cellsPerPart;
  for (let i = 0; i < n; i++) {
    const inner = n === 1 ? 0 : crowd ? Math.sqrt((i + 0.5) / n) * 0.92 : n > 4 && i === 0 ? 0 : 0.55;
    const a = turn + (crowd ? i * 2.4 : (i / n) * 6.2832) + random.range(-0.25, 0.25);
    points.push({ x: Math.cos(a) * inner * core * r, y: Math.sin(a) * inner * core * r, part: parts[i % parts.length], seed: seed + i * 13, w: random.range(0.85, 1.2) * (parts[i % parts.length].thin && n > 5 ? 0.66 : 1), turn: random.angle() });
  }
  scene.put({ x: c, y: c, rx: c, base: 0, over: true }, (u, v, o) => {
    const q = (Math.abs(u / r) ** power + Math.abs(v / r) ** power) ** (1 / power) + (noise(u / 25, v / 25, seed) - 0.5) * 0.04;
    if (q > 1.04) return;
    o.a = 1;
    if (q < core) {
      let best = 1e9, second = 1e9, hit = points[0];
      const wx = u + (noise(u / 14, v / 14, seed + 1) - 0.5) * 12, wy = v + offset + (noise(u / 14, v / 14, seed + 2) - 0.5) * 12;
      for (const p of points) {
        const d = Math.hypot(wx - p.x, wy - p.y) / p.w;
        if (d < best) { second = best; best = d; hit = p; } else if (d < second) second = d;
      }
      const edge = Math.min(second - best, (core - q) * r * 1.2);
      const cs = Math.cos(hit.turn), sn = Math.sin(hit.turn);
      hit.part.paint(u * cs + v * sn, v * cs - u * sn, o, hit.seed);
      if (hit.part.skin && second - best > 1 && (core - q) * r < 6) tint(o, hit.part.skin);
      o.z += hit.part.rise * smooth(0, 9, edge) + 1;
      const gap = 0.55 + 0.45 * smooth(0, 4, edge);
      o.r *= gap; o.g *= gap; o.b *= gap;
      return;
    }
    let layer = layers[0];
    for (const l of layers) if (q <= l.part) layer = l;
    layer.look(u, v, o, seed + 3);
    o.z += layer.rise ?? 2;
  });
  return scene;
}

/** A lit cut as a lookup: sample(u, v, out) with u, v from its middle, in units. */
export function litFace(face, dim = 0.92) {
  const lit = shade(face, { shadow: 0.5 });
  const { pw, ph, k } = face, c = face.w / 2;
  return (u, v, out) => {
    const far = Math.hypot(u, v) / (c - 8);
    if (far > 0.96) { u *= 0.96 / far; v *= 0.96 / far; }
    const px = clamp(Math.round((u + c) * k), 0, pw - 1), py = clamp(Math.round((v + c) * k), 0, ph - 1);
    const j = (py * pw + px) * 3;
    out.r = lit[j] * dim; out.g = lit[j + 1] * dim; out.b = lit[j + 2] * dim;
  };
}

/** The relief of a cut at u, v: sets colour, gloss, softness and adds its height. */
export function reliefAt(face, u, v, o) {
  const { pw, ph, k } = face, c = face.w / 2;
  const px = clamp(Math.round((u + c) * k), 0, pw - 1), py = clamp(Math.round((v + c) * k), 0, ph - 1);
  const i = py * pw + px;
  o.r = face.rgb[i * 3]; o.g = face.rgb[i * 3 + 1]; o.b = face.rgb[i * 3 + 2];
  o.z += face.height[i]; o.gloss = face.gloss[i]; o.soft = face.soft[i];
}
