// Pizza: crust, sauce, melted cheese, scattered toppings, cuts.
import { tint } from '../draw/scene.mjs';
import { noise, fractal } from '../draw/noise.mjs';
import { hex, mix, smooth, clamp } from '../draw/colour.mjs';
import { INGREDIENTS } from '../ingredients/table.mjs';
import { SAUCES } from '../ingredients/sauces.mjs';
import { tableOf, roundBoard, slab } from './table.mjs';
import { lay, drizzle, disk, rect } from './place.mjs';

const DOUGH = hex('#f2c373'), BAKED = hex('#cf7424'), CHAR = hex('#54200a'), MILK = hex('#fff4d6');
const HERBS = new Set(['basil', 'arugula', 'dill', 'parsley', 'oregano', 'thyme', 'rosemary', 'cilantro', 'microgreens', 'mint', 'mixed-greens']);
const PLAIN_CHEESE = new Set(['mozzarella', 'suluguni', 'gouda', 'cheddar']);

/** Distance inside the pizza's edge by its outline. */
function outline(shape, r) {
  if (shape === 'square') {
    const corner = r * 0.2, half = r * 0.93;
    return (u, v) => {
      const qx = Math.abs(u) - half + corner, qy = Math.abs(v) - half + corner;
      return corner - Math.hypot(Math.max(qx, 0), Math.max(qy, 0)) - Math.min(Math.max(qx, qy), 0);
    };
  }
  return (u, v) => r - Math.hypot(u, v);
}

function dough(scene, x, y, r, { crust, shape, seed, base }) {
  const thin = crust === 'thin';
  const rimW = r * (thin ? 0.09 : 0.135), tall = thin ? 17 : crust === 'cheese' ? 42 : 36;
  const inside = outline(shape, r);
  scene.put({ x, y, rx: r * 1.04, base }, (u, v, o) => {
    const a = Math.atan2(v, u);
    const wob = (noise(Math.cos(a) * 3.2 + 9, Math.sin(a) * 3.2 + 9, seed) - 0.5) * r * 0.035;
    const d = inside(u, v) + wob;
    if (d <= -0.5) return;
    o.a = clamp(d * scene.k + 0.5);
    const puff = 0.78 + 0.44 * noise(Math.cos(a) * 6 + 2, Math.sin(a) * 6 + 2, seed + 1);
    const q = clamp((d - rimW * 0.5) / (rimW * 0.75), -0.66, 1);
    const hump = tall * puff * Math.sqrt(Math.max(0, 1 - q * q));
    o.z = Math.max(d > rimW ? 12 : 0, hump * smooth(-2, 10, d));
    const n = fractal(u / 26, v / 26, seed + 2), f = noise(u / 6, v / 6, seed + 3);
    let c = mix(DOUGH, BAKED, clamp(0.15 + smooth(0.3, 0.75, n) * 0.75 + (d < rimW * 0.3 ? 0.35 : 0)));
    const blister = smooth(0.66, 0.82, fractal(u / 17 + 30, v / 17, seed + 5)) * smooth(0, 0.5, hump / tall);
    c = mix(c, CHAR, blister * (thin ? 0.7 : 0.6));
    if (crust === 'cheese') c = mix(c, hex('#f7b13a'), smooth(0.45, 0.62, noise(a * 9, d / 30, seed + 4)) * 0.65);
    tint(o, c, 0.95 + f * 0.1);
    o.z += (n - 0.5) * 6 + (f - 0.5) * 1.2 - blister * 1.5;
    o.gloss = 0.22; o.soft = 0.45;
  });
  return rimW;
}

function spreadSauceAndCheese(scene, x, y, r, rimW, { sauce, cheese, cheesy, shape, seed, base, half }) {
  const s = SAUCES[sauce], inside = outline(shape, r - rimW * 0.9);
  const gold = hex('#e08a28'), brown = hex('#9a460f');
  scene.put({ x, y, rx: r, base, over: true }, (u, v, o) => {
    if (half && u * half < 0) return;
    const a = Math.atan2(v, u);
    const wob = (noise(Math.cos(a) * 4 + 1, Math.sin(a) * 4 + 1, seed + 6) - 0.5) * 26 + (noise(u / 14, v / 14, seed + 1) - 0.5) * 7;
    const d = inside(u, v) + wob;
    if (d <= -1) return;
    o.a = clamp(d * 0.5 + 0.4);
    const n = fractal(u / 70, v / 70, seed + 7), m = fractal(u / 20, v / 20, seed + 8), f = noise(u / 5, v / 5, seed + 9);
    let c = mix(s.colour, s.second, smooth(0.3, 0.8, m) * 0.8);
    const melt = smooth(0.46 - cheesy, 0.6 - cheesy, n * 0.62 + m * 0.38) * smooth(2, 22, d);
    const pull = fractal(u / 34 + 70, v / 34, seed + 14);
    const tone = mix(mix(cheese, MILK, smooth(0.42, 0.7, pull) * 0.75), gold, smooth(0.56, 0.36, pull) * smooth(0.35, 0.7, m) * 0.8);
    c = mix(c, tone, melt * 0.96);
    const spot = smooth(0.62, 0.74, fractal(u / 24 + 40, v / 24 + 9, seed + 11)) * melt;
    c = mix(c, mix(gold, brown, smooth(0.3, 0.8, f)), spot * 0.62);
    tint(o, c);
    o.z = 12 + melt * (4 + 9 * smooth(0.35, 0.7, pull)) + (m - 0.5) * 4 + (f - 0.5) * 0.5;
    o.gloss = 0.5 + 0.25 * (1 - melt) - spot * 0.2; o.soft = 0.6;
  });
}

function count(name, kinds) {
  const it = INGREDIENTS[name];
  if (it.wide) return name === 'burrata' ? 1 : 3;
  const big = 74 / Math.max(2.6, kinds);
  if (it.small || it.shred || it.strip || it.heap) return big * 0.85;
  return Math.min(big, 22);
}

/** Draws a pizza of radius r at (x, y). */
export function drawPizza(scene, recipe, x, y, r, random, { base = 0 } = {}) {
  const seed = Math.floor(random.next() * 1e6), shape = recipe.shape ?? 'round';
  const halves = recipe.halves ?? [recipe];
  const rimW = dough(scene, x, y, r, { crust: recipe.crust ?? 'classic', shape, seed, base });
  const size = (r / 400) * 1.2;
  halves.forEach((part, i) => {
    const half = halves.length > 1 ? (i ? 1 : -1) : 0;
    const toppings = part.toppings ?? [];
    const melts = toppings.map((t) => INGREDIENTS[t].melts).filter(Boolean);
    const cheese = hex(melts[0] ?? '#ffd884');
    spreadSauceAndCheese(scene, x, y, r, rimW, { sauce: part.sauce ?? 'tomato', cheese, cheesy: melts.length ? 0.16 : -0.12, shape, seed: seed + i * 50, base, half });
    const own = toppings.filter((t) => !PLAIN_CHEESE.has(t));
    const rank = (t) => (HERBS.has(t) ? 3 : INGREDIENTS[t].small ? 2 : INGREDIENTS[t].leafy ? 0 : 1);
    const area = (random2) => {
      const reach = r - rimW * 1.45;
      let p = shape === 'square' ? rect(x, y, reach * 1.8, reach * 1.8)(random2) : disk(x, y, reach)(random2);
      if (half && (p.x - x) * half < 24) p = { x: x + half * (24 + Math.abs(p.x - x) * 0.93), y: p.y };
      return p;
    };
    const taken = [];
    for (const t of [...own].sort((p, q) => rank(p) - rank(q))) {
      const herb = HERBS.has(t);
      const n = (herb ? (INGREDIENTS[t].small ? 12 : 9) : count(t, own.length)) / (half ? 1.9 : 1);
      lay(scene, t, n, area, size * (herb ? 1.02 : 1), random, herb ? [] : taken, { follow: herb ? 0.2 : undefined });
    }
    const drip = part.drizzle ?? recipe.drizzle;
    if (drip) drizzle(scene, drip, x, y, r * 1.6, r * 1.25, random, { turns: 6, width: 10, turn: 0.6, clip: (px, py) => outline(shape, r - rimW)(px - x, py - y) > 0 && (!half || (px - x) * half > 0) });
  });
  if (recipe.slices !== false) cut(scene, x, y, r, shape, seed);
}

function cut(scene, x, y, r, shape, seed) {
  const groove = (turn, cx, cy, len) => scene.put({ x: cx, y: cy, rx: len, ry: 4, turn, base: 0, follow: 1, over: true }, (u, v, o) => {
    const w = 1.9 + noise(u / 20, 1, seed) * 1.2;
    const d = w - Math.abs(v + (noise(u / 50, 4, seed) - 0.5) * 3);
    if (d <= 0) return;
    o.a = clamp(d) * 0.7; o.z = -6;
    tint(o, hex('#7c3c14')); o.soft = 0.4;
  });
  if (shape === 'square') {
    for (const q of [-0.31, 0.31]) { groove(0, x, y + q * r * 2 * 0.5, r * 0.93); groove(Math.PI / 2, x + q * r, y, r * 0.93); }
  } else for (let i = 0; i < 4; i++) groove(0.39 + (i * Math.PI) / 4, x, y, r * 0.985);
}

/** The whole picture of a pizza. */
export function pizza(recipe, { style, random, ground }) {
  const scene = tableOf(style, { h: 1090, colour: ground });
  const r = { small: 345, medium: 385, large: 415 }[recipe.size ?? 'large'];
  if (recipe.shape === 'square') slab(scene, 500, 545, r * 2.2, r * 2.2, { c: style.board, grain: true, t: 20, corner: 40, rough: 1 });
  else roundBoard(scene, 500, 545, r + 38, style.board, { handle: true });
  drawPizza(scene, recipe, 500, 545, r, random, { base: 20 });
  return { scene, tilt: 20, lift: 8 };
}
