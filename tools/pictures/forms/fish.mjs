// Nigiri, gunkan, sashimi, onigiri: rice and fish in single pieces.
import { rounded, tint } from '../draw/scene.mjs';
import { noise } from '../draw/noise.mjs';
import { hex, smooth, clamp } from '../draw/colour.mjs';
import { INGREDIENTS } from '../ingredients/table.mjs';
import { noriLook, riceLook, sideOf } from './cut.mjs';
import { tableOf, slab, plate } from './table.mjs';
import { drizzle, lay, disk } from './place.mjs';
import { BESIDES, besides } from './rolls.mjs';

/** An oblong of rice under a slice. */
function riceBed(scene, x, y, l, w, tall, turn, random, base, look = riceLook) {
  const seed = Math.floor(random.next() * 1e6);
  const wall = scene.addWall(sideOf(look, x, y, l / 2, seed, { top: tall, flat: true }));
  scene.put({ x, y, rx: l / 2, ry: w / 2, turn, base, wall }, (u, v, o) => {
    const r = w / 2, qx = Math.max(0, Math.abs(u) - l / 2 + r);
    const d = r - Math.hypot(qx, v);
    if (d <= -0.5) return;
    o.a = clamp(d * scene.k + 0.5);
    look(u, v, o, seed);
    o.z = rounded(d, r * 0.6, tall) + o.z * smooth(0, 8, d);
  });
}

/** A slice lying over something: long, with soft sides. */
function fillet(scene, name, x, y, l, w, t, turn, random, { base, follow = 0, arch = 0, over }) {
  const look = INGREDIENTS[name].look, seed = Math.floor(random.next() * 1e6), slant = random.range(0.3, 0.7);
  const fish = over && sideOf(look, x, y, l, seed, { top: 1, flat: true }), rice = over && sideOf(riceLook, x, y, l, seed, { top: over.tall, flat: true });
  const wall = over ? scene.addWall((px, py, z, out) => (z > base - over.lap ? fish : rice)(px, py, z, out)) : 0;
  scene.put({ x, y, rx: l / 2 + 6, ry: w / 2 + 6, turn, base, follow, wall }, (u, v, o) => {
    const wob = (noise(u / 50, v / 50, seed) - 0.5) * 9;
    const lean = u + v * 0.25, r = w * 0.26;
    const qx = Math.abs(lean) - l / 2 + r, qy = Math.abs(v) - w / 2 + r;
    const d = r - Math.hypot(Math.max(qx, 0), Math.max(qy, 0)) - Math.min(Math.max(qx, qy), 0) + wob;
    if (d <= -0.5) return;
    o.a = clamp(d * scene.k + 0.5);
    look(name.includes('shrimp') ? u * 0.8 : u + v * slant, v, o, seed);
    if (name.includes('shrimp') && u > l * 0.34) tint(o, hex('#f0552a'));
    const e = Math.abs(u) / (l / 2);
    o.z = o.z * 0.8 + rounded(d, t * 1.5, t) + arch * (1 - e * e) - arch * 0.5 * (2 * v / w) ** 2;
  });
}

/** One nigiri, 250 units long at size 1. */
export function nigiriPiece(scene, recipe, x, y, size, turn, random, base) {
  const name = recipe.topping, it = INGREDIENTS[name];
  riceBed(scene, x, y, 230 * size, 96 * size, 62 * size, turn, random, base);
  if (it.heap || it.shred) lay(scene, name, 10, (r) => { const q = r.range(-90, 90) * size, p = r.range(-24, 24) * size; return { x: x + Math.cos(turn) * q - Math.sin(turn) * p, y: y + Math.sin(turn) * q + Math.cos(turn) * p }; }, size, random);
  else fillet(scene, name, x, y, 262 * size, 112 * size, 20 * size, turn, random, { base: base + 52 * size, arch: 30 * size, over: { tall: 40 * size, lap: 10 * size } });
  if (name === 'eel' || name === 'omelette' || name === 'tofu') {
    scene.put({ x, y, rx: 17 * size, ry: 64 * size, turn, base: 0, follow: 1, over: true }, (u, v, o) => { o.a = clamp(17 * size - Math.abs(u)); noriLook(u, v, o, 1); o.z += 2.5; });
  }
  if (recipe.sauce) drizzle(scene, recipe.sauce, x, y, 190 * size, 56 * size, random, { turns: 4, width: 9 * size, turn });
  for (const g of (recipe.garnish ?? []).filter((t) => !BESIDES.has(t))) lay(scene, g, INGREDIENTS[g].small ? 4 : 2, disk(x, y, 40 * size), size * 0.75, random, []);
}

/** One gunkan: a nori wall around rice, heaped with the topping. */
export function gunkanPiece(scene, recipe, x, y, size, turn, random, base) {
  const seed = Math.floor(random.next() * 1e6), l = 215 * size, w = 138 * size, tall = 104 * size;
  const wall = scene.addWall(sideOf(noriLook, x, y, l / 2, seed, { top: tall }));
  scene.put({ x, y, rx: l / 2, ry: w / 2, turn, base, wall }, (u, v, o) => {
    const r = w / 2, d = r - Math.hypot(Math.max(0, Math.abs(u) - l / 2 + r), v);
    if (d <= -0.5) return;
    o.a = clamp(d * scene.k + 0.5);
    if (d < 5 * size) { noriLook(u, v, o, seed); o.z = tall; } else { riceLook(u, v, o, seed); o.z = tall * 0.82 + o.z; }
  });
  const name = recipe.topping, it = INGREDIENTS[name];
  const inside = (part) => (r) => { const a = r.angle(), q = Math.sqrt(r.next()) * part, lu = Math.cos(a) * q * l * 0.42, lv = Math.sin(a) * q * w * 0.4; return { x: x + Math.cos(turn) * lu - Math.sin(turn) * lv, y: y + Math.sin(turn) * lu + Math.cos(turn) * lv }; };
  const n = it.coat && it.heap ? 16 : it.heap ? 9 : it.shred ? 9 : 12;
  const piece = it.heap ? 1.0 : 0.62, level = { base: base + tall * 0.86 };
  lay(scene, name, n, inside(it.heap ? 0.66 : 0.85), size * piece, random, [], level);
  lay(scene, name, n * 0.5, inside(0.5), size * piece, random, []);
  if (recipe.sauce) drizzle(scene, recipe.sauce, x, y, l * 0.7, w * 0.42, random, { turns: 4, width: 12 * size, turn });
  for (const g of recipe.garnish ?? []) lay(scene, g, INGREDIENTS[g].small ? 4 : 2, inside(0.4), size * 0.7, random, []);
}

function pairs(piece, apart) {
  return (recipe, { style, random, ground }) => {
    const H = 1530, scene = tableOf(style, { h: H, colour: ground });
    const top = slab(scene, 500, H / 2, 900, 1000, { c: style.plate, corner: 34, t: 22 });
    const n = recipe.count ?? 2, turn = -0.55, size = n === 1 ? 2.5 : n === 2 ? 2.15 : 1.6;
    for (let i = 0; i < n; i++) {
      const q = (i - (n - 1) / 2) * apart * size;
      piece(scene, recipe, 500 + q * 0.5, H / 2 + q * 0.95 + 10, size, turn, random, top);
    }
    besides(scene, 790, H / 2 - 400, 1.2, random);
    return { scene, tilt: 42, lift: 30 };
  };
}

export const nigiri = pairs(nigiriPiece, 190);
export const gunkan = pairs(gunkanPiece, 205);

/** Slices of raw fish fanned over shredded daikon. */
export function sashimi(recipe, { style, random, ground }) {
  const H = 1440, scene = tableOf(style, { h: H, colour: ground }), cy = H / 2;
  const top = plate(scene, 500, cy, 450, style.plate, { depth: 30 });
  lay(scene, 'daikon', 26, disk(520, cy - 110, 210), 1.5, random, []);
  lay(scene, 'lettuce', 2, disk(720, cy - 170, 60), 1.5, random, []);
  const kinds = recipe.topping.length ? [].concat(recipe.topping) : [];
  kinds.forEach((name, row) => {
    const per = kinds.length === 1 ? 7 : kinds.length === 2 ? 5 : 4;
    const rows = kinds.length === 1 ? 1 : kinds.length;
    for (let i = 0; i < per; i++) {
      const x = 500 + (i - (per - 1) / 2) * (kinds.length === 1 ? 92 : 116), y = cy + 40 + (row - (rows - 1) / 2) * 210 + Math.abs(i - (per - 1) / 2) * 10;
      fillet(scene, name, x, y, kinds.length === 1 ? 330 : 230, kinds.length === 1 ? 150 : 124, 26, 1.15 + random.range(-0.06, 0.06), random, { base: top + 34 + i * 9, arch: 14 });
    }
  });
  for (const g of (recipe.garnish ?? []).filter((t) => !BESIDES.has(t) && t !== 'lemon')) lay(scene, g, 3, disk(690, cy - 200, 70), 1.2, random, []);
  INGREDIENTS.lemon.piece(scene, { x: 270, y: cy - 200, turn: 1 }, 1.7, random);
  besides(scene, 650, cy + 300, 1.0, random);
  return { scene, tilt: 34, lift: 20 };
}

/** Rice triangles with a band of nori. */
export function onigiri(recipe, { style, random, ground }) {
  const H = 1440, scene = tableOf(style, { h: H, colour: ground }), cy = H / 2;
  const top = slab(scene, 500, cy, 900, 960, { c: style.plate, corner: 34, t: 22 });
  const n = recipe.count ?? 2, seed = Math.floor(random.next() * 1e6);
  for (let i = 0; i < n; i++) {
    const x = 500 + (i - (n - 1) / 2) * 350, y = cy + (i - (n - 1) / 2) * 260, r = n === 1 ? 340 : 262;
    const wall = scene.addWall(sideOf(riceLook, x, y, r, seed, { top: 90 }));
    scene.put({ x, y, rx: r * 1.1, base: top + i * 4, wall, turn: (i - 0.5) * 0.3 }, (u, v, o) => {
      const side = Math.max(v - r * 0.55, Math.abs(u) * 0.866 - v * 0.5 - r * 0.52), d = -side - Math.max(0, Math.hypot(u, v) - r * 0.86) * 0.9;
      if (d <= -0.5) return;
      o.a = clamp(d * scene.k + 0.5);
      const band = Math.abs(u) < r * 0.36 && v > -r * 0.08;
      const hole = Math.hypot(u, v + r * 0.34) < r * 0.2;
      if (band) noriLook(u, v, o, seed); else if (hole) INGREDIENTS[recipe.filling[0]].look(u, v, o, seed); else riceLook(u, v, o, seed);
      if (recipe.coating === 'sesame' && !band && noise(u / 7, v / 7, seed) > 0.78) tint(o, hex('#2a241c'));
      o.z += rounded(d, 40, 92) + (band ? 5 : hole ? 7 : 0);
    });
  }
  besides(scene, 780, cy - 380, 1.1, random);
  return { scene, tilt: 36, lift: 20 };
}
