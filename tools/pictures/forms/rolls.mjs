// Rolls: standing pieces with a coat, lying pieces with something draped over them, baked and fried ones.
import { rounded, tint } from '../draw/scene.mjs';
import { noise } from '../draw/noise.mjs';
import { hex, smooth, clamp } from '../draw/colour.mjs';
import { INGREDIENTS } from '../ingredients/table.mjs';
import { crumbly, roasted } from '../ingredients/looks.mjs';
import { coatLook, cutFace, litFace, noriLook, reliefAt, riceLook, sideOf } from './cut.mjs';
import { tableOf, slab } from './table.mjs';
import { drizzle, pool } from './place.mjs';

const TEMPURA = crumbly('#f6b95c', '#c9741f', { grain: 8, bump: 5 });
const PANKO = crumbly('#f2b060', '#bb6a24', { grain: 6, bump: 4 });
const BAKED_CAP = { 'cheese-cap': roasted('#fbe0a0', '#f0a83c', '#b4611a', { amount: 0.42, gloss: 0.6, scale: 20 }), 'spicy-cap': roasted('#f7a45a', '#e8702c', '#a83c10', { amount: 0.4, gloss: 0.65, scale: 18 }) };
const DRAPES = new Set(['salmon', 'tuna', 'eel', 'avocado', 'shrimp', 'perch', 'cheddar', 'cucumber', 'bacon', 'mango', 'salmon-seared', 'omelette', 'salmon-smoked', 'gouda', 'tiger-shrimp', 'scallop', 'crab', 'beef', 'chicken', 'prosciutto', 'octopus', 'snow-crab', 'duck']);

/** Always served beside, never on top. */
export const BESIDES = new Set(['ginger', 'wasabi']);

const nori = { part: 0, look: noriLook, rise: 1 };

const faces = new WeakMap();

/** A cut of this roll: three different ones are drawn and shared by its pieces. */
function faceOf(recipe, r, random) {
  const known = faces.get(recipe) ?? { r, list: [] };
  if (known.r !== r) Object.assign(known, { r, list: [] });
  faces.set(recipe, known);
  if (known.list.length < 3) {
    const relief = drawFace(recipe, r, random);
    known.list.push({ relief, lit: litFace(relief, 0.98) });
    return known.list.at(-1);
  }
  return random.pick(known.list);
}

function drawFace(recipe, r, random) {
  const { form, filling } = recipe;
  if (form === 'maki') return cutFace({ r, layers: [{ part: 1.1, look: noriLook, rise: 2 }, { part: 0.91, look: riceLook, rise: 0 }], core: 0.46, filling, random, power: 2.1 });
  if (form === 'futomaki') return cutFace({ r, layers: [{ part: 1.1, look: noriLook, rise: 2 }, { part: 0.94, look: riceLook, rise: 0 }], core: 0.66, filling, random, power: 2.1 });
  if (form === 'hot-roll') {
    const crust = recipe.coating === 'panko' ? PANKO : TEMPURA;
    const baked = BAKED_CAP[recipe.coating];
    const outer = baked ? { part: 1.1, look: riceLook, rise: 1 } : { part: 1.1, look: crust, rise: 2 };
    return cutFace({ r, layers: [outer, { part: baked ? 0.98 : 0.88, look: noriLook, rise: 1 }, { part: baked ? 0.9 : 0.82, look: riceLook, rise: 0 }], core: 0.5, filling, random, power: 2.3 });
  }
  return cutFace({ r, layers: [{ part: 1.1, look: riceLook, rise: 1 }, { ...nori, part: 0.64 }], core: 0.58, filling, random, power: 2.3 });
}

/** A piece standing on its end, the cut up. */
function standing(scene, recipe, x, y, r, random, base) {
  const face = faceOf(recipe, r, random).relief, seed = Math.floor(random.next() * 1e6);
  const tall = r * (recipe.form === 'maki' ? 1.25 : 1.02);
  const coatName = recipe.form === 'maki' || recipe.form === 'futomaki' ? 'nori' : recipe.outside ?? 'sesame';
  const hot = recipe.form === 'hot-roll';
  const cap = hot && BAKED_CAP[recipe.coating];
  const look = hot ? (cap ? noriLook : recipe.coating === 'panko' ? PANKO : TEMPURA) : coatLook(coatName);
  const thick = hot && !cap ? 0.12 : { nori: 0.02, rice: 0.02 }[coatName] ?? (INGREDIENTS[coatName]?.heap ? 0.1 : 0.06);
  const wall = scene.addWall(sideOf(look, x, y, r, seed, { top: tall }));
  const turn = random.angle(), c = Math.cos(turn), s = Math.sin(turn);
  scene.put({ x, y, rx: r * 1.06, base, wall }, (u, v, o) => {
    const a = Math.atan2(v, u), wob = (noise(Math.cos(a) * 2.5 + 5, Math.sin(a) * 2.5 + 5, seed) - 0.5) * r * 0.07;
    const q = Math.hypot(u, v), d = r + wob - q;
    if (d <= -0.5) return;
    o.a = clamp(d * scene.k + 0.5);
    if (d < r * thick) { o.z = 2; look(a * r, q, o, seed); } else reliefAt(face, (u * c + v * s) / 1.01, (v * c - u * s) / 1.01, o);
    o.z = rounded(d, r * 0.1, tall) + o.z * (d > 3 ? 1 : 0.3);
  });
  if (cap) capOn(scene, cap, x, y, r, random, base + tall);
  return tall;
}

function capOn(scene, look, x, y, r, random, base) {
  const seed = Math.floor(random.next() * 1e6);
  scene.put({ x, y, rx: r * 1.05, base: base - 4 }, (u, v, o) => {
    const a = Math.atan2(v, u), d = r * (0.9 + 0.2 * noise(Math.cos(a) * 2 + 5, Math.sin(a) * 2 + 5, seed)) - Math.hypot(u, v);
    if (d <= -0.5) return;
    o.a = clamp(d * scene.k + 0.5);
    o.z = rounded(d, r * 0.7, r * 0.42);
    look(u, v, o, seed);
  });
}

/** A piece lying with its cut to the viewer and a slice draped over it. */
function lying(scene, recipe, x, y, r, random, base) {
  const face = faceOf(recipe, r, random).lit, seed = Math.floor(random.next() * 1e6);
  const len = r * 1.12, over = recipe.outside, drape = INGREDIENTS[over].look, thick = r * 0.15, w = r * 1.04;
  const o2 = { r: 0, g: 0, b: 0, z: 0, gloss: 0, soft: 0 };
  const wall = scene.addWall((px, py, z, out) => {
    const u = px - x, v = r - (z - base);
    const q = (Math.abs(u / r) ** 2.4 + Math.abs(v / r) ** 2.4) ** (1 / 2.4);
    const fold = 0.62 + 0.38 * smooth(0, r * 0.4, z - base);
    if (v < r * 0.35 && q > 0.97) {
      drape(u, v * 3, o2, seed);
      const k = 0.8 + 0.3 * smooth(0.4, -0.6, u / r);
      out.r = o2.r * k; out.g = o2.g * k; out.b = o2.b * k;
      return;
    }
    face(u / 1.04, v > 0 ? v * 0.92 : v, out);
    const side = smooth(1.04, 0.94, q) * 0.3 + 0.7;
    out.r *= fold * side; out.g *= fold * side; out.b *= fold * side;
  });
  const slant = random.range(0.35, 0.7) * (random.chance(0.5) ? 1 : -1), tilt = random.range(-0.06, 0.06);
  scene.put({ x, y, rx: w * 1.06, ry: len / 2 + 8, base, wall }, (u, v, o) => {
    const e = Math.abs(u) / w;
    if (e > 1) return;
    const lip = (noise(u / 26, 3, seed) - 0.5) * 8;
    const d = Math.min((1 - e) * w + 1, len / 2 - Math.abs(v));
    if (d <= -0.5) return;
    o.a = clamp(d * scene.k + 0.5);
    const arc = r + r * (1 - e ** 2.4) ** (1 / 2.4);
    const covered = e < 0.985;
    o.z = 0;
    if (covered) {
      if (over === 'avocado' || over === 'cucumber' || over === 'shrimp') scales(over, drape, u, v, o, seed, r); else drape(u, v + u * slant, o, seed);
    } else riceLook(u, v, o, seed);
    o.z = o.z + arc + (covered ? thick * smooth(1, 0.85, e) : 0) * smooth(-2, 7, len / 2 + lip - Math.abs(v)) + tilt * v;
    if (over === 'eel') o.gloss = 0.9;
  });
  return 2 * r + thick;
}

/** Thin slices overlapping like scales. */
function scales(name, look, u, v, o, seed, r) {
  const step = r * (name === 'shrimp' ? 2.4 : 0.34);
  const p = (v + u * 0.25) / step + 40, i = Math.floor(p), f = p - i;
  look(u, (f - 0.5) * 30, o, seed + i);
  if (name === 'cucumber' && Math.abs(u) > r * 0.8) tint(o, hex('#2f7a28'));
  o.z += (1 - f) * (name === 'shrimp' ? 2 : 7);
  const k = 0.72 + 0.28 * smooth(0, 0.22, f);
  o.r *= k; o.g *= k; o.b *= k;
}

const isDraped = (recipe) => recipe.form === 'uramaki' && DRAPES.has(recipe.outside);

/** One piece of any roll at (x, y); returns its height. */
export function rollPiece(scene, recipe, x, y, r, random, base) {
  const tall = isDraped(recipe) ? lying(scene, recipe, x, y, r, random, base) : standing(scene, recipe, x, y, r, random, base);
  return tall;
}

/** What lies on top of each piece: sauce and garnish. */
export function finish(scene, recipe, spots, r, random) {
  const top = (recipe.garnish ?? []).filter((g) => !BESIDES.has(g));
  for (const p of spots) {
    if (recipe.sauce) {
      const s = recipe.sauce;
      if (recipe.form === 'hot-roll' || isDraped(recipe)) drizzle(scene, s, p.x, p.y - (isDraped(recipe) ? 0 : 0), r * 1.5, r * 0.7, random, { turns: 2.5, width: r * 0.085, turn: 0.2, clip: (a, b) => Math.hypot(a - p.x, b - p.y) < r * 0.86 });
      else pool(scene, s, p.x, p.y, r * 0.4, r * 0.34, { t: r * 0.1, seed: Math.floor(random.next() * 1e6), follow: 1, base: 0 });
    }
    for (const g of top) {
      const it = INGREDIENTS[g];
      const size = it.heap ? r / 75 : it.small || it.coat ? r / 62 : r / 84;
      const dx = top.length > 1 ? random.range(-0.3, 0.3) * r : 0;
      it.piece(scene, { x: p.x + dx, y: p.y + random.range(-0.1, 0.1) * r, turn: random.angle(), base: it.heap || it.small ? undefined : scene.support(p.x, p.y, 8) }, size, random);
    }
  }
}

const ROWS = { 1: [1], 2: [2], 3: [2, 1], 4: [2, 2], 5: [3, 2], 6: [3, 3], 7: [2, 3, 2], 8: [3, 2, 3], 10: [4, 3, 3], 12: [4, 4, 4] };

/** Ginger and wasabi beside. */
export function besides(scene, x, y, size, random) {
  for (let i = 0; i < 4; i++) INGREDIENTS.ginger.piece(scene, { x: x + random.range(-26, 26) * size, y: y + random.range(-16, 16) * size, turn: random.angle() }, size, random);
  INGREDIENTS.wasabi.piece(scene, { x: x + 78 * size, y: y + 10 * size, turn: 0 }, size * 0.95, random);
}

/** The whole picture of one roll. */
export function roll(recipe, { style, random, ground }) {
  const H = 1530, scene = tableOf(style, { h: H, colour: ground });
  const rows = ROWS[recipe.count ?? 8], draped = isDraped(recipe), wide = Math.max(...rows);
  const plateTop = slab(scene, 500, H / 2, 910, 1050, { c: style.plate, corner: 34, t: 22 });
  const r = Math.min(draped ? 124 : 128, 830 / wide / 2.1) * (rows.length === 1 ? 1.1 : 1) * (wide < 3 ? 1.12 : 1);
  const px = r * (draped ? 2.2 : 2.16), py = draped ? r * 2.3 : r * 2.34;
  const spots = [];
  rows.forEach((n, row) => {
    for (let i = 0; i < n; i++) {
      spots.push({ x: 500 + (i - (n - 1) / 2) * px + random.range(-5, 5), y: H / 2 + (row - (rows.length - 1) / 2) * py + random.range(-6, 6) + 20 });
    }
  });
  for (const p of spots) rollPiece(scene, recipe, p.x, p.y, r, random, plateTop);
  finish(scene, recipe, spots, r, random);
  if (rows.length > 2 && rows[1] < rows[0]) {
    besides(scene, 118, H / 2 + 24, 0.92, random);
  }
  return { scene, tilt: 42, lift: 34 };
}
