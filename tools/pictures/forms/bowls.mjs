// Everything served in a bowl or a box: wok, soup, poke, salad, hummus, ramekins, small sides, pasta.
import { tint, rounded } from '../draw/scene.mjs';
import { noise, fractal, cells } from '../draw/noise.mjs';
import { hex, mix, smooth, clamp } from '../draw/colour.mjs';
import { INGREDIENTS } from '../ingredients/table.mjs';
import { SAUCES, FLECKED } from '../ingredients/sauces.mjs';
import { tableOf, bowl, plate, roundBoard } from './table.mjs';
import { disk, drizzle, lay, paintSauce, spread } from './place.mjs';
import { enough, glaze, heap, mixture, tangle } from './heap.mjs';
import { sideOf } from './cut.mjs';

const BROTHS = {
  miso: ['#d8a458', '#b87c30'], 'tom-yum': ['#f08a3c', '#d0501c'], ramen: ['#d9a763', '#a86c2c'], pho: ['#c98f4c', '#9c642a'], clear: ['#e8c068', '#c89638'], lentil: ['#e8a23a', '#cc7c1c'],
  pumpkin: ['#f79a22', '#e4780c'], mushroom: ['#cfb48a', '#a08258'], tomato: ['#d8401c', '#ac220e'], borsch: ['#a4142c', '#6c0818'], ayran: ['#fbf8ec', '#eee8d4'], kimchi: ['#e05a20', '#b02c0c'], cheese: ['#fbd47c', '#f0b648'], cream: ['#fbeccb', '#f0d6a0'],
};
const THICK = new Set(['lentil', 'pumpkin', 'mushroom', 'tomato', 'cheese', 'cream', 'ayran']);

/** Names of broths that a soup may have. */
export const BROTH_NAMES = Object.keys(BROTHS);

function soupSurface(scene, x, y, r, level, name, seed) {
  const [a, b] = BROTHS[name].map(hex), thick = THICK.has(name);
  scene.put({ x, y, rx: r, base: level, over: true }, (u, v, o) => {
    const d = r - Math.hypot(u, v);
    if (d <= 0) return;
    o.a = clamp(d);
    const n = fractal(u / 60, v / 60, seed);
    let c = mix(a, b, clamp(n * 0.9 + smooth(30, 0, d) * 0.4));
    if (!thick) {
      const q = cells(u / 44, v / 44, seed + 2), pick = noise(u / 44, v / 44, seed + 3);
      const drop = smooth(0.3, 0.26, q) * smooth(0.4, 0.55, pick);
      c = mix(c, times2(a), drop * 0.4); o.z += drop * 1.5;
    } else o.z += (n - 0.5) * 5 + Math.sin(Math.hypot(u, v) / 24 + n * 5) * 1.2;
    tint(o, c);
    o.gloss = thick ? 0.55 : 0.9; o.soft = 0.6;
  });
}

const times2 = (c) => [Math.min(1, c[0] * 1.5), Math.min(1, c[1] * 1.5), Math.min(1, c[2] * 1.4)];

export function soup(recipe, { style, random, ground }) {
  const H = 1330, cy = H / 2, scene = tableOf(style, { h: H, colour: ground });
  plate(scene, 500, cy, 440, style.ceramic, { depth: 18 });
  const level = bowl(scene, 500, cy, 390, style.bowl, { tall: 150, inner: style.ceramic, fill: 0.7, wallWidth: 18 });
  const thick = THICK.has(recipe.broth);
  if (recipe.base) tangle(scene, recipe.base, 500, cy, 290, random, { base: level - 40, rise: 52 });
  const submerged = scene.height.slice();
  soupSurface(scene, 500, cy, 356, level, recipe.broth, 7);
  if (recipe.base) uncover(scene, submerged, level);
  const list = recipe.toppings ?? [];
  const taken = [];
  const r = thick ? 120 : recipe.base ? 225 : 255;
  for (const t of list) {
    const it = INGREDIENTS[t];
    const n = it.wide ? 1 : t === 'egg' ? 2 : t === 'nori' ? 3 : it.heap || it.shred ? 5 : it.leafy ? 4 : it.small ? 7 : thick ? 3 : Math.max(5, 11 - list.length);
    lay(scene, t, n, disk(500, cy, r), t === 'egg' ? 1.9 : 1.45, random, taken, { base: recipe.base ? undefined : it.wide ? level + 4 : level - (it.leafy || it.small || it.shred ? 1 : 7), follow: 0 });
  }
  return { scene, tilt: 34, lift: 36 };
}

/** Lets noodles rise through the broth where they stood above it: paints them back. */
function uncover(scene, below, level) {
  for (let i = 0; i < below.length; i++) if (below[i] > level) scene.height[i] = below[i];
}

export function poke(recipe, { style, random, ground }) {
  const H = 1330, cy = H / 2, scene = tableOf(style, { h: H, colour: ground });
  const level = bowl(scene, 500, cy, 430, style.bowl, { tall: 140, inner: style.ceramic, fill: 0.62, wallWidth: 18 });
  tangle(scene, recipe.base, 500, cy, 375, random, { base: level - 8, rise: 40 });
  const list = recipe.toppings, n = list.length, turn = random.angle();
  list.forEach((t, i) => {
    const it = INGREDIENTS[t], mid = turn + (i / n) * 6.2832, half = (3.1416 / n) * 0.86;
    const area = (r) => { const a = mid + r.range(-half, half), q = r.range(n > 5 ? 110 : 70, 322); return { x: 500 + Math.cos(a) * q, y: cy + Math.sin(a) * q }; };
    const much = enough(t, 355, 1.35) / n;
    lay(scene, t, it.wide ? 1 : Math.min(40, much * 1.25), area, 1.35, random, []);
  });
  if (recipe.sauce) drizzle(scene, recipe.sauce, 500, cy, 480, 330, random, { turns: 5, width: 13, turn: 0.4 });
  for (const g of recipe.garnish ?? []) lay(scene, g, INGREDIENTS[g].coat ? 9 : 4, disk(500, cy, INGREDIENTS[g].coat ? 260 : 60), 1.2, random, []);
  return { scene, tilt: 26, lift: 34 };
}

export function salad(recipe, { style, random, ground }) {
  const H = 1330, cy = H / 2, scene = tableOf(style, { h: H, colour: ground });
  plate(scene, 500, cy, 450, style.ceramic, { depth: 44, rim: 0.2 });
  const leafy = recipe.toppings.filter((t) => INGREDIENTS[t].leafy && !INGREDIENTS[t].small);
  const bed = leafy[0] ?? recipe.toppings[0];
  lay(scene, bed, Math.min(40, enough(bed, 330, 1.4)), disk(500, cy, 315), 1.4, random, []);
  mixture(scene, recipe.toppings.filter((t) => t !== bed), 500, cy, 310, 1.55, random, { much: 1.35 });
  if (leafy.length) lay(scene, bed, 3, disk(500, cy, 200), 0.8, random, []);
  if (recipe.sauce) drizzle(scene, recipe.sauce, 500, cy, 480, 330, random, { turns: 5, width: 13, turn: -0.5 });
  return { scene, tilt: 28, lift: 18 };
}

export function pasta(recipe, { style, random, ground }) {
  const H = 1330, cy = H / 2, scene = tableOf(style, { h: H, colour: ground });
  const top = plate(scene, 500, cy, 450, style.ceramic, { depth: 46, rim: 0.24, line: style.bowl });
  const sauce = SAUCES[recipe.sauce];
  const long = ['spaghetti', 'fettuccine'].includes(recipe.kind);
  if (recipe.kind === 'lasagna') lasagna(scene, recipe, 500, cy, top, random);
  else {
    scene.put({ x: 500, y: cy, rx: 320, base: top, over: true }, (u, v, o) => { const d = 300 + (noise(u / 60, v / 60, 3) - 0.5) * 50 - Math.hypot(u, v); if (d <= 0) return; o.a = clamp(d / 3); paintSauce(o, sauce, FLECKED.has(recipe.sauce), u, v, 5); o.z += 8; });
    if (long) tangle(scene, recipe.kind, 500, cy, 285, random, { base: top + 4, rise: 120, size: 1.15 });
    else dumplings(scene, recipe.kind, 500, cy, 265, random);
    glaze(scene, sauce.colour, 500, cy, 300, 0.42);
    for (let i = 0; i < 9; i++) { const p = disk(500, cy, 190)(random); spoon(scene, recipe.sauce, p.x, p.y, random.range(34, 66), random); }
  }
  const list = recipe.toppings ?? [], taken = [];
  for (const t of list) { const it = INGREDIENTS[t]; lay(scene, t, it.wide || t === 'egg' ? 1 : it.leafy ? 5 : it.small ? 8 : 9, disk(500, cy, recipe.kind === 'lasagna' ? 150 : 220), 1.4, random, taken); }
  return { scene, tilt: 30, lift: 22 };
}

function spoon(scene, sauce, x, y, r, random) {
  const seed = Math.floor(random.next() * 1e5), s = SAUCES[sauce], fleck = FLECKED.has(sauce);
  scene.put({ x, y, rx: r * 1.2, follow: 0.85, over: true }, (u, v, o) => {
    const q = Math.hypot(u, v) / r + (noise(u / 16, v / 16, seed) - 0.5) * 0.7;
    if (q > 1) return;
    o.a = smooth(1, 0.75, q); paintSauce(o, s, fleck, u, v, seed); o.z += 6 * Math.sqrt(1 - q);
  });
}

function dumplings(scene, kind, x, y, r, random) {
  if (kind === 'penne') { lay(scene, 'penne', 34, disk(x, y, r), 1.35, random, []); lay(scene, 'penne', 16, disk(x, y, r * 0.5), 1.35, random, []); return; }
  const big = kind === 'ravioli', w = big ? 130 : kind === 'farfalle' ? 104 : 64;
  const a = hex('#f7dfa4'), b = hex('#e2b866');
  for (const p of spread(big ? 13 : kind === 'farfalle' ? 24 : 42, disk(x, y, r), random)) {
    const seed = Math.floor(random.next() * 1e5);
    scene.put({ x: p.x, y: p.y, rx: w * 0.6, turn: random.angle() }, (u, v, o) => {
      const h = big ? w / 2 : kind === 'farfalle' ? w * (0.14 + 0.26 * Math.abs(u / (w / 2))) : w * 0.33;
      const d = kind === 'gnocchi' ? (1 - Math.hypot(u / (w / 2), v / h)) * h : Math.min(w / 2 - Math.abs(u) + (Math.sin(v / 5) * 3), h - Math.abs(v) + (big ? Math.sin(u / 5) * 3 : 0));
      if (d <= -0.5) return;
      o.a = clamp(d + 0.5);
      tint(o, mix(a, b, fractal(u / 20, v / 20, seed)));
      o.z = big ? 8 + 34 * smooth(14, 46, d) : kind === 'farfalle' ? 10 + 18 * smooth(24, 0, Math.abs(u)) + Math.sin(v / 7) * 4 : rounded(d, h, h) - smooth(0.6, 1, Math.sin(u / 4)) * 3;
      o.gloss = 0.5; o.soft = 0.6;
    });
  }
}

function lasagna(scene, recipe, x, y, base, random) {
  const s = SAUCES[recipe.sauce], cream = hex('#fbeec8'), sheet = hex('#eec678'), melt = hex('#ffd98c'), gold = hex('#d9791e');
  const wall = scene.addWall((px, py, z, out) => {
    const q = (z - base) / 150 * 5 + (noise(px / 26, z / 14, 2) - 0.5) * 0.7, f = q - Math.floor(q), c = f < 0.3 ? sheet : f < 0.8 ? s.colour : cream;
    const k = 0.85 + 0.4 * (noise(px / 6, z / 6, 4) - 0.5);
    out.r = c[0] * k; out.g = c[1] * k; out.b = c[2] * k;
  });
  scene.put({ x, y, rx: 260, ry: 190, turn: 0.12, base, wall }, (u, v, o) => {
    const d = Math.min(250 - Math.abs(u), 170 - Math.abs(v)) + (noise(u / 40, v / 40, 4) - 0.5) * 14;
    if (d <= -0.5) return;
    o.a = clamp(d + 0.5);
    const n = fractal(u / 40, v / 40, 5);
    tint(o, mix(mix(melt, gold, smooth(0.45, 0.8, n)), s.colour, smooth(0.6, 0.4, fractal(u / 60 + 9, v / 60, 8)) * 0.75));
    o.z = rounded(d, 26, 150) + (n - 0.5) * 16; o.gloss = 0.55; o.soft = 0.5;
  });
}

/** A paper box of noodles or rice. */
export function wok(recipe, { style, random, ground }) {
  const H = 1680, cy = H / 2 + 40, scene = tableOf(style, { h: H, colour: ground });
  const half = 312, tall = 250, white = hex('#f4efe6'), ink = style.stone ? hex('#e2583a') : hex('#d9931e');
  const turn = 0.62;
  const wall = scene.addWall((px, py, z, out) => {
    const dx = px - 500, left = dx * Math.cos(turn) + (py - cy) * Math.sin(turn) < (py - cy) * Math.cos(turn) - dx * Math.sin(turn);
    const k = (left ? 1.2 : 0.66) * (0.72 + 0.28 * smooth(0, 120, z)) * (0.98 + noise(px / 4, z / 4, 2) * 0.04);
    const band = z > 50 && z < 148, wave = Math.abs(Math.sin(px / 26) * 13 + 99 - z) < 13;
    const c = band ? (wave ? white : ink) : white;
    out.r = c[0] * k; out.g = c[1] * k; out.b = c[2] * k * 0.96;
  });
  scene.put({ x: 500, y: cy, rx: half + 4, turn, base: 0, wall }, (u, v, o) => {
    const corner = 46, qx = Math.abs(u) - half + corner, qy = Math.abs(v) - half + corner;
    const d = corner - Math.hypot(Math.max(qx, 0), Math.max(qy, 0)) - Math.min(Math.max(qx, qy), 0);
    if (d <= -0.5) return;
    o.a = clamp(d + 0.5);
    o.z = d < 11 ? tall + 8 * Math.cos((u + v) / 60) : tall - 74;
    tint(o, white, d < 11 ? 1 : 0.8); o.gloss = 0.2;
  });
  const it = INGREDIENTS[recipe.base], s = recipe.sauce && SAUCES[recipe.sauce];
  const reach = half - 34, cos = Math.cos(turn), sin = Math.sin(turn);
  scene.clip = (x, y) => { const dx = x - 500, dy = y - cy; return Math.max(Math.abs(dx * cos + dy * sin), Math.abs(dy * cos - dx * sin)) < half - 14; };
  for (const [ox, oy] of [[-0.62, -0.62], [0.62, -0.62], [-0.62, 0.62], [0.62, 0.62]]) {
    const bx = ox * reach * 0.78, by = oy * reach * 0.78;
    tangle(scene, recipe.base, 500 + bx * cos - by * sin, cy + bx * sin + by * cos, reach * 0.6, random, { base: tall - 72, rise: 44 });
  }
  tangle(scene, recipe.base, 500, cy, reach * 0.98, random, { base: tall - 66, rise: 84, size: it.noodle ? 1.12 : 1.3 });
  if (s) glaze(scene, s.colour, 500, cy, reach * 1.2, ['teriyaki', 'soy', 'oyster', 'unagi', 'black-pepper-sauce', 'bbq'].includes(recipe.sauce) ? 0.46 : 0.24);
  mixture(scene, recipe.toppings, 500, cy, reach * 0.86, 1.5, random, { much: 1.5 });
  scene.clip = null;
  return { scene, tilt: 44, lift: 92 };
}

export function hummus(recipe, { style, random, ground }) {
  const H = 1330, cy = H / 2, scene = tableOf(style, { h: H, colour: ground });
  const top = plate(scene, 500, cy, 430, style.ceramic, { depth: 52, rim: 0.16, line: style.bowl });
  const s = SAUCES[recipe.spread ?? 'hummus'], oil = SAUCES['olive-oil'].colour;
  scene.put({ x: 500, y: cy, rx: 350, base: top }, (u, v, o) => {
    const q = Math.hypot(u, v), a = Math.atan2(v, u), d = 335 + (noise(Math.cos(a) * 3 + 5, Math.sin(a) * 3 + 5, 3) - 0.5) * 26 - q;
    if (d <= -0.5) return;
    o.a = clamp(d + 0.5);
    paintSauce(o, s, recipe.spread === 'muhammara', u, v, 5);
    const swirl = Math.sin(q / 27 - a * 1 + noise(u / 80, v / 80, 2) * 1.4);
    o.z = rounded(d, 60, 46) + swirl * 15 * smooth(20, 90, q);
    o.gloss = 0.3;
    const wet = smooth(0.1, -0.6, swirl) * smooth(230, 120, q) ;
    tint(o, mix([o.r, o.g, o.b], oil, wet * 0.6)); o.gloss += wet * 0.6;
  });
  for (const t of recipe.toppings ?? []) {
    const it = INGREDIENTS[t];
    if (t === 'pita-bread' || t === 'bread') { for (const i of [0, 1, 2]) it.piece(scene, { x: 770 + i * 22, y: cy - 250 + i * 92, turn: 0.5 + i * 0.5, base: 60 + i * 6 }, 1.5, random); } else lay(scene, t, it.small ? 9 : it.heap ? 6 : 7, disk(490, cy, it.small || it.leafy ? 190 : 170), 1.75, random, []);
  }
  return { scene, tilt: 28, lift: 16 };
}

/** A ramekin of sauce seen from near. */
export function sauce(recipe, { style, random, ground }) {
  const H = 1330, cy = H / 2, scene = tableOf(style, { h: H, colour: ground });
  roundBoard(scene, 500, cy, 440, style.board, { seed: 6 });
  ramekin(scene, recipe.sauce, 500, cy, 330, random, { base: 20, ceramic: style.stone ? '#2c3136' : style.ceramic });
  for (const t of recipe.toppings ?? []) lay(scene, t, INGREDIENTS[t].small ? 7 : 3, disk(500, cy, 110), 1.5, random, []);
  return { scene, tilt: 34, lift: 50 };
}

/** A ramekin of radius r anywhere on a dish. */
export function ramekin(scene, name, x, y, r, random, { base = 0, ceramic = '#f6f1e6' } = {}) {
  const c = hex(ceramic), s = SAUCES[name], fleck = FLECKED.has(name), seed = Math.floor(random.next() * 1e5), tall = r * 0.52;
  const wall = scene.addWall(sideOf((u, v, o) => { const rib = Math.sin(u / (r * 0.07)); tint(o, c, 0.92 + rib * 0.08); o.gloss = 0.4; o.z = rib * 3; }, x, y, r, seed, { top: tall }));
  scene.put({ x, y, rx: r + 1, base, wall }, (u, v, o) => {
    const q = Math.hypot(u, v), d = r - q, lip = r * 0.075;
    if (d <= -0.5) return;
    o.a = clamp(d * scene.k + 0.5);
    if (d < lip) { tint(o, c); o.z = tall - Math.abs(d - lip / 2) * 0.4; o.gloss = 0.7; return; }
    const a = Math.atan2(v, u), swirl = Math.sin(q / (r * 0.075) - a + noise(u / 60, v / 60, seed) * 2);
    paintSauce(o, s, fleck, u * (120 / r) * 1.4, v * (120 / r) * 1.4, seed);
    o.z = tall * 0.8 + o.z + swirl * r * 0.014 * smooth(r, r * 0.5, q) * smooth(0, r * 0.2, q) + smooth(lip * 2.6, lip, d) * 3;
    o.gloss = 0.85;
  });
}

/** A small bowl of one thing. */
export function side(recipe, { style, random, ground }) {
  const H = 1330, cy = H / 2, scene = tableOf(style, { h: H, colour: ground });
  const level = bowl(scene, 500, cy, 400, style.bowl, { tall: 120, inner: style.ceramic, fill: 0.55 });
  heap(scene, recipe.item, 500, cy, 320, recipe.item === 'wasabi' ? 4 : 1.9, random, { base: level - 6, tall: 90, much: recipe.item === 'wasabi' ? 0.2 : 1 });
  return { scene, tilt: 30, lift: 34 };
}
