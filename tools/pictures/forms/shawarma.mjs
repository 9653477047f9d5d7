// Shawarma cut open, pita pockets, plates from the grill.
import { rounded, tint } from '../draw/scene.mjs';
import { noise, fractal } from '../draw/noise.mjs';
import { hex, mix, smooth, clamp } from '../draw/colour.mjs';
import { INGREDIENTS } from '../ingredients/table.mjs';
import { cutFace, litFace } from './cut.mjs';
import { tableOf, paper, plate, slab } from './table.mjs';
import { disk, drizzle, lay } from './place.mjs';
import { enough, heap, hill, mixture } from './heap.mjs';
import { ramekin } from './bowls.mjs';

const WRAPS = { lavash: ['#f0d3a0', '#d9a660', '#8c5222'], 'cheese-lavash': ['#f7cf7c', '#efa93c', '#a85f18'], 'charcoal-lavash': ['#3c3532', '#2a2523', '#151110'], 'spinach-lavash': ['#a6b464', '#84924a', '#4c5420'], 'tomato-lavash': ['#e0824c', '#c2602e', '#742c10'], tortilla: ['#f6dfb4', '#e6bf80', '#a06a30'] };

/** Names of wraps that a shawarma may have. */
export const WRAP_NAMES = Object.keys(WRAPS);

/** Thin bread from a hot grill: bubbles, toasted spots, grill lines when asked. */
function bread([c1, c2, c3], { lines = false } = {}) {
  const a = hex(c1), b = hex(c2), d = hex(c3);
  return (u, v, o, seed = 0) => {
    const n = fractal(u / 46, v / 46, seed), m = fractal(u / 15, v / 15, seed + 2);
    let c = mix(a, b, smooth(0.35, 0.7, n));
    c = mix(c, d, smooth(0.58, 0.78, m * 0.7 + n * 0.35) * 0.75);
    if (lines) { const q = Math.abs(((u * 0.8 + v * 0.6) / 58 + 99) % 1 - 0.5); c = mix(c, d, smooth(0.36, 0.43, q) * 0.7 * smooth(0.25, 0.5, m)); }
    tint(o, c);
    o.z = (o.z || 0) + (m - 0.5) * 5 + (noise(u / 5, v / 5, seed) - 0.5) * 1.4;
    o.gloss = 0.16; o.soft = 0.3;
  };
}

/** Half of a wrap lying with its cut to the viewer; `sheet` is paper around its lower part. */
function half(scene, recipe, x, y, r, len, turn, random, { base, sheet }) {
  const wrap = WRAPS[recipe.wrap ?? 'lavash'], look = bread(wrap, { lines: true }), seed = Math.floor(random.next() * 1e6);
  const dough = bread(wrap);
  const per = Math.max(2, Math.round(15 / recipe.filling.length));
  const crust = (u, v, o, s) => { dough(u, v, o, s); const q = Math.hypot(u, v) / r; const ring = Math.sin(q * 64 + noise(u / 40, v / 40, s) * 3); o.r *= 0.9 + ring * 0.1; o.g *= 0.88 + ring * 0.12; o.b *= 0.84 + ring * 0.16; o.z += ring * 2; };
  const rel = cutFace({ r, layers: [{ part: 1.1, look: crust, rise: 4 }], core: 0.9, filling: recipe.filling, random, cellsPerPart: per, crowd: 1, power: 2.1, k: 1.4 });
  const face = litFace(rel, 1.12);
  const flat = 0.86, cs = Math.cos(turn), sn = Math.sin(turn);
  const wall = scene.addWall((px, py, z, out) => {
    const u = (px - x) * cs + (py - y) * sn, v = r - (z - base) / flat;
    face(u / 1.04, v, out);
    const k = (0.6 + 0.4 * smooth(0, r * 0.5, z - base)) * (1 - 0.25 * clamp(u / r));
    const out1 = 1 - 0.55 * smooth(1.0, 1.1, Math.hypot(u / r, v / r));
    out.r *= k * 1.04 * out1; out.g *= k * out1; out.b *= k * 0.95 * out1;
  });
  const skin = scene.addWall((px, py, z, out) => { const o = { z: 0 }; look(px, z, o, seed); const k = 0.45 + 0.4 * smooth(0, r, z - base); out.r = o.r * k; out.g = o.g * k; out.b = o.b * k; });
  scene.put({ x, y, rx: r * 1.06, ry: len / 2 + 4, turn, base, wall }, (u, v, o) => {
    const q = (v + len / 2) / len, taper = 1 - 0.2 * smooth(0.3, 0, q);
    const w = r * taper, e = Math.abs(u) / w;
    const back = (len / 2 + v) ;
    const d = Math.min(w - Math.abs(u), len / 2 - v, back - w * 0.35 * e * e);
    if (d <= -0.5 || e >= 1.005) return;
    o.a = clamp(d + 0.5);
    o.z = 0; look(u * 1.25, v, o, seed);
    const fold = Math.sin((v + u * 0.7) / 62 + noise(u / 60, v / 60, seed) * 3) * 4;
    o.z = o.z * 1.4 + fold + flat * (r * taper + r * taper * Math.sqrt(Math.max(0, 1 - e * e))) * Math.sqrt(clamp(back / (r * 0.8)));
    if (sheet && q < sheet.part + (noise(u / 30, 1, seed) - 0.5) * 0.06 + u / r * 0.06) {
      const n = Math.abs(fractal(u / 50, v / 50, seed + 4) - 0.5) * 16;
      tint(o, sheet.colour, 0.92 + noise(u / 4, v / 4, seed) * 0.1 + n * 0.01);
      if (sheet.mark && (Math.floor((u + 900) / 34) + Math.floor((v + 900) / 34)) % 2) tint(o, sheet.mark);
      o.z += 5 + n; o.gloss = 0.1;
    }
  });
  return skin;
}

export function shawarma(recipe, { style, random, ground }) {
  const H = 1640, cy = H / 2, scene = tableOf(style, { h: H, colour: ground });
  slab(scene, 500, cy, 920, 1160, { c: style.board, grain: true, t: 26, corner: 36, seed: 8 });
  paper(scene, 500, cy + 20, 830, 1000, { c: '#cfa874', turn: -0.12, t: 27, seed: 3 });
  const k = { small: 0.82, medium: 1, large: 1.1 }[recipe.size ?? 'medium'], r = 178 * k;
  const sheet = { part: 0.5, colour: hex('#f3e9d6'), mark: random.chance(1) ? hex('#d98a2a') : null };
  if (recipe.whole) { half(scene, recipe, 500, cy + 40, r * 1.15, 720, 0.5, random, { base: 34, sheet }); return { scene, tilt: 46, lift: 70 }; }
  half(scene, recipe, 500 + 175 * k, cy - 70 * k, r, 560 * k, 0.24, random, { base: 34, sheet });
  half(scene, recipe, 500 - 175 * k, cy + 95 * k, r, 520 * k, -0.2, random, { base: 34, sheet });
  const loose = recipe.filling.filter((t) => INGREDIENTS[t] && (INGREDIENTS[t].leafy || INGREDIENTS[t].cut || INGREDIENTS[t].small || t === 'cucumber' || t === 'jalapeno')).slice(0, 2);
  for (const t of loose) lay(scene, t, 2, disk(690, cy + 400, 90), 1.3, random, [], { base: 34 });
  return { scene, tilt: 46, lift: 62 };
}

function moon(scene, x, y, r, turn, t, random, base) {
  const look = bread(['#f3d9a6', '#e0b06a', '#a4682e']), seed = Math.floor(random.next() * 1e6);
  scene.put({ x, y, rx: r * 1.04, turn, base }, (u, v, o) => {
    const lip = (noise(u / 60, 3, seed) - 0.5) * 26;
    const d = Math.min(r - Math.hypot(u, v * 1.02), v + lip);
    if (d <= -0.5) return;
    o.a = clamp(d + 0.5); o.z = 0;
    look(u, v, o, seed);
    o.z = o.z + rounded(d, 46, t) + 16 * smooth(r, 0, Math.hypot(u, v - r * 0.4));
  });
}

export function pita(recipe, { style, random, ground }) {
  const H = 1400, cy = H / 2 - 70, scene = tableOf(style, { h: H, colour: ground });
  slab(scene, 500, H / 2, 900, 1020, { c: style.board, grain: true, t: 26, corner: 36, seed: 9 });
  paper(scene, 500, H / 2, 800, 880, { c: '#efe4d0', turn: 0.16, t: 27, seed: 7, pattern: '#e2a94e' });
  const turn = -0.22, r = 372, c = Math.cos(turn), s = Math.sin(turn);
  const at = (u, v) => ({ x: 500 + u * c - v * s, y: cy + u * s + v * c });
  const back = at(0, -34); moon(scene, back.x, back.y, r, turn, 46, random, 32);
  const seed = 5;
  const middle = at(0, 8);
  hill(scene, middle.x, middle.y, r * 0.9, 96, (u, v, o) => { tint(o, hex('#a8763c')); o.z = 0; }, { base: 40, ry: 110, turn, seed });
  const area = (part) => (rnd) => { const u = rnd.range(-0.8, 0.8) * r, v = rnd.range(-70, 34) * part - Math.abs(u) * 0.06; return at(u, v); };
  const solids = recipe.filling.filter((t) => INGREDIENTS[t]), sauces = recipe.filling.filter((t) => !INGREDIENTS[t]);
  const order = [...solids].sort((a, b) => (INGREDIENTS[b].leafy ? 1 : 0) - (INGREDIENTS[a].leafy ? 1 : 0));
  for (const t of order) { const it = INGREDIENTS[t]; lay(scene, t, it.long ? 2 : it.leafy ? 9 : it.small ? 5 : it.shred ? 9 : 7, area(1), it.long ? 1.1 : 1.45, random, []); }
  for (const t of solids.filter((q) => INGREDIENTS[q].meat || q === 'falafel' || q === 'halloumi' || q === 'chicken-fried')) lay(scene, t, INGREDIENTS[t].long ? 1 : 5, area(0.6), INGREDIENTS[t].long ? 1.1 : 1.45, random, []);
  for (const t of sauces) drizzle(scene, t, middle.x, middle.y - 30, r * 1.4, 90, random, { turns: 6, width: 17, turn });
  const front = at(0, 62); moon(scene, front.x, front.y, r * 0.97, turn, 84, random, 62);
  return { scene, tilt: 34, lift: 34 };
}

function skewer(scene, name, x, y, len, turn, random, base) {
  const steel = hex('#b8b4ac');
  scene.put({ x, y, rx: len / 2 + 70, ry: 6, turn, base: base + 22 }, (u, v, o) => { const d = 5 - Math.abs(v); if (d <= 0) return; o.a = clamp(d); tint(o, steel); o.z = rounded(d, 5, 8); o.gloss = 0.9; });
  const n = Math.round(len / 84);
  for (let i = 0; i < n; i++) { const q = (i - (n - 1) / 2) * 84; INGREDIENTS[name].piece(scene, { x: x + Math.cos(turn) * q, y: y + Math.sin(turn) * q, turn: turn + random.range(-0.3, 0.3), base: base + 4 }, 1.35, random); }
}

/** A plate from the grill: main in the middle, sides in heaps around, sauce in a ramekin. */
export function grill(recipe, { style, random, ground }) {
  const H = 1330, cy = H / 2, scene = tableOf(style, { h: H, colour: ground });
  const top = plate(scene, 500, cy, 455, style.plate === '#57504a' ? '#ded2bc' : style.ceramic, { depth: 34, line: style.bowl });
  const sides = recipe.sides ?? [], main = recipe.main;
  const long = main.some((m) => INGREDIENTS[m].long || m === 'shashlik');
  const flat = sides.filter((s) => s === 'lavash-strips' || s === 'pita-bread');
  if (flat.length || long) {
    const look = bread(WRAPS.lavash);
    scene.put({ x: 500, y: cy + 10, rx: 350, ry: 270, turn: -0.3, base: top }, (u, v, o) => { const d = Math.min(330 - Math.abs(u), 240 - Math.abs(v)) + (noise(u / 60, v / 60, 3) - 0.5) * 44; if (d <= -0.5) return; o.a = clamp(d + 0.5); o.z = 0; look(u, v, o, 4); o.z += 7 + Math.sin(u / 70 + v / 110) * 6; });
  }
  const rest = sides.filter((s) => !flat.includes(s));
  const spots = rest.length + (recipe.sauce ? 1 : 0), from = long ? -2.9 : random.angle();
  const around = (i) => { const a = from + (i / Math.max(1, spots)) * (long ? 2.9 : 6.2832); const q = long ? 285 : rest.length < 3 ? 235 : 262; return { x: 500 + Math.cos(a) * q, y: cy + Math.sin(a) * q * (long ? 0.92 : 1) }; };
  rest.forEach((s, i) => {
    const p = around(i + (recipe.sauce ? 1 : 0)), it = INGREDIENTS[s], garnish = it.small || ['parsley', 'cilantro', 'dill', 'mint', 'lemon', 'chili'].includes(s);
    if (garnish) lay(scene, s, 7, disk(p.x, p.y, 64), 1.35, random, []);
    else if (it.base || s === 'fries') heap(scene, s, p.x, p.y, 132, s === 'fries' ? 1 : 1.25, random, { base: top, tall: 60 });
    else lay(scene, s, Math.min(12, Math.max(5, enough(s, 108, 1.3) * 1.6)), disk(p.x, p.y, 96), 1.35, random, []);
  });
  main.forEach((m, i) => {
    const it = INGREDIENTS[m], y = cy + (i - (main.length - 1) / 2) * 120 + 70;
    if (it.long) { for (const q of [-62, 62]) it.piece(scene, { x: 490 + q * 0.3, y: cy + 60 + q + (i - (main.length - 1) / 2) * 60, turn: -0.28 + random.range(-0.04, 0.04), base: top + 18 }, 2.25, random); } else if (m === 'shashlik' || (long && it.meat)) { const n = main.length > 1 ? 1 : 2; for (let q = 0; q < n; q++) skewer(scene, m, 500, y + (q - (n - 1) / 2) * 140, 560, -0.26, random, top + 12); } else if (it.base) heap(scene, m, 500, cy, main.length > 1 && i === 0 ? 275 : 170, 1.3, random, { base: top, tall: 90, much: 1.25 });
    else if (m === 'pita-bread') lay(scene, m, 4, disk(500, cy, 150), 1.6, random, [], { base: top });
    else heap(scene, m, 500, cy + (main[0] === m ? 0 : 10), main.length > 1 ? 165 : 205, 1.5, random, { tall: main.length > 1 ? 30 : 80, much: 1.35 });
  });
  if (main[0] === 'rice') mixture(scene, rest.filter((s) => !INGREDIENTS[s].leafy), 500, cy, 215, 1.2, random, { much: 0.6 });
  if (recipe.sauce) { const p = around(0); ramekin(scene, recipe.sauce, p.x - (long ? 0 : 0), p.y, 98, random, { base: top }); }
  return { scene, tilt: 30, lift: 22 };
}
