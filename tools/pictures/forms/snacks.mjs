// Snacks in heaps, baked Italian things, sandwiches.
import { rounded, tint } from '../draw/scene.mjs';
import { noise } from '../draw/noise.mjs';
import { hex, smooth, clamp } from '../draw/colour.mjs';
import { crumbly, roasted, mottled } from '../ingredients/looks.mjs';
import { ball, block, slice, strip } from '../ingredients/shapes.mjs';
import { INGREDIENTS } from '../ingredients/table.mjs';
import { tableOf, paper, roundBoard, slab } from './table.mjs';
import { disk, lay, pool, spread } from './place.mjs';
import { ramekin } from './bowls.mjs';
import { hill, mixture } from './heap.mjs';

const crumb = crumbly('#f0b252', '#c47620', { grain: 7, bump: 5 });
const fine = crumbly('#eeb04c', '#c2761c', { grain: 5, bump: 3.5 });
const crust = roasted('#f3cf8c', '#d9953f', '#8a4512', { amount: 0.5, gloss: 0.35, scale: 24 });
const pale = roasted('#f7e6c2', '#e6bd7c', '#a86a2a', { amount: 0.3, scale: 26 });
const glazed = roasted('#b4581c', '#86340e', '#3c1204', { amount: 0.5, gloss: 0.75, scale: 16 });
const leafWrap = mottled('#6a7a2a', '#414e14', { gloss: 0.65, scale: 16 });
const onion = slice((q, a, u, v, o, s) => crumb(u, v, o, s), { r: 74, t: 30, hole: 0.56, follow: 0.15 });

function wing(scene, at, size, random) {
  const c = Math.cos(at.turn), s = Math.sin(at.turn);
  ball(glazed, { r: 50, oval: 0.2, squash: 0.8, rough: 0.12 })(scene, { ...at }, size, random);
  strip(glazed, { l: 130, w: 54, t: 40, bend: 0.3, taper: 0.5, vary: 0.1, follow: 0 })(scene, { ...at, x: at.x + c * 58 * size, y: at.y + s * 58 * size, base: scene.support(at.x, at.y, 10) * 0.55 }, size, random);
}

function triangle(look, w, t) {
  return (scene, at, size, random) => {
    const seed = Math.floor(random.next() * 1e6), r = w * size * 0.6;
    scene.put({ ...at, rx: r * 1.15 }, (u, v, o) => {
      const d = -Math.max(v - r * 0.5, Math.abs(u) * 0.866 - v * 0.5 - r * 0.5) - Math.max(0, Math.hypot(u, v) - r * 0.84) * 0.8;
      if (d <= -0.5) return;
      o.a = clamp(d + 0.5); look(u, v, o, seed);
      o.z += rounded(d, r * 0.4, t * size);
      if (noise(u / 8, v / 8, seed) > 0.84 && d > 20) tint(o, hex('#f7ead0'));
    });
  };
}

function halfMoon(scene, at, size, random, look = crust) {
  const seed = Math.floor(random.next() * 1e6), r = 150 * size;
  scene.put({ ...at, rx: r * 1.05 }, (u, v, o) => {
    const d = Math.min(r - Math.hypot(u, v), v + r * 0.1);
    if (d <= -0.5) return;
    o.a = clamp(d + 0.5); look(u, v, o, seed);
    const edge = smooth(34 * size, 22 * size, r - Math.hypot(u, v));
    o.z += rounded(d, 40 * size, 46 * size) * (1 - edge * 0.5) + edge * Math.sin(Math.atan2(v, u) * 34) * 6;
  });
}

function boat(scene, at, size, random) {
  const seed = Math.floor(random.next() * 1e6), melt = roasted('#ffe2a0', '#f7b84a', '#b4661c', { amount: 0.3, gloss: 0.55, scale: 30 });
  scene.put({ ...at, rx: 330 * size, ry: 190 * size }, (u, v, o) => {
    const q = Math.abs(u) / (320 * size), w = 175 * size * Math.sqrt(Math.max(0, 1 - q ** 1.8));
    const d = w - Math.abs(v);
    if (d <= -0.5) return;
    o.a = clamp(d + 0.5);
    const inner = d > 48 * size && q < 0.72;
    (inner ? melt : crust)(u, v, o, seed);
    o.z += inner ? 26 : 20 + 48 * size * Math.sqrt(1 - Math.min(1, Math.abs(d / (48 * size) - 0.5) * 1.6) ** 2);
    const yolk = 62 * size - Math.hypot(u, v);
    if (yolk > 0) { tint(o, hex('#ffae14')); o.z += 18 * Math.sqrt(yolk / 62); o.gloss = 0.9; o.soft = 0.7; }
  });
}

const plain = (name, size = 1) => (scene, at, k, random) => INGREDIENTS[name].piece(scene, at, k * size, random);
const rings = (look) => strip(look, { l: 118, w: 34, t: 30, bend: 0.25, taper: 0.25, follow: 0.05 });

/** Kinds of pieces: how one lies, how many, its size, and whether it heaps up. */
const KINDS = {
  fries: { piece: plain('fries', 1.25), n: 46, size: 1.25, r: 220, layers: 3 },
  'potato-wedges': { piece: plain('potato-wedges'), n: 16, size: 1.75, r: 235, layers: 2 },
  nuggets: { piece: block(crumb, { w: 100, h: 78, t: 38, round: 0.8, rough: 0.13 }), n: 9, size: 1.5, r: 235, layers: 1.4 },
  wings: { piece: wing, n: 8, size: 1.35, r: 235, layers: 1.3 },
  strips: { piece: strip(crumb, { l: 200, w: 66, t: 42, bend: 0.35, taper: 0.3, rough: 0.4, vary: 0.12, follow: 0 }), n: 6, size: 1.6, r: 180, layers: 1.2, aligned: 1 },
  falafel: { piece: plain('falafel'), n: 8, size: 1.85, r: 220, layers: 1.5 },
  'onion-rings': { piece: onion, n: 10, size: 1.5, r: 225, layers: 1.6 },
  'cheese-sticks': { piece: strip(fine, { l: 210, w: 52, t: 44, bend: 0.04, taper: 0.03, vary: 0.05, follow: 0 }), n: 6, size: 1.6, r: 170, layers: 1.2, aligned: 1 },
  'shrimp-tempura': { piece: plain('shrimp-tempura'), n: 6, size: 2.1, r: 220, layers: 1 },
  'spring-rolls': { piece: strip(crust, { l: 230, w: 62, t: 50, bend: 0.06, taper: 0.02, vary: 0.05, follow: 0 }), n: 6, size: 1.5, r: 170, layers: 1.2, aligned: 1 },
  gyoza: { piece: (s, at, k, r) => halfMoon(s, at, k * 0.72, r, pale), n: 6, size: 1.3, r: 230, layers: 1 },
  samsa: { piece: triangle(crust, 210, 70), n: 3, size: 1.6, r: 190, layers: 1 },
  cheburek: { piece: (s, at, k, r) => halfMoon(s, at, k, r), n: 2, size: 1.9, r: 150, layers: 1 },
  kutab: { piece: (s, at, k, r) => halfMoon(s, at, k, r, pale), n: 2, size: 1.9, r: 150, layers: 1 },
  dolma: { piece: strip(leafWrap, { l: 128, w: 58, t: 48, bend: 0.08, taper: 0.3, vary: 0.06, follow: 0 }), n: 8, size: 1.6, r: 220, layers: 1.3, aligned: 1 },
  edamame: { piece: strip(mottled('#8cc23e', '#5a9422', { gloss: 0.5 }), { l: 130, w: 36, t: 28, bend: 0.35, taper: 0.6, rough: 0.5 }), n: 26, size: 1.35, r: 235, layers: 2 },
  calamari: { piece: slice((q, a, u, v, o, s) => crumb(u, v, o, s), { r: 60, t: 32, hole: 0.46, follow: 0.15 }), n: 11, size: 1.5, r: 225, layers: 1.6 },
  hashbrown: { piece: block(crumb, { w: 190, h: 120, t: 34, round: 0.4 }), n: 3, size: 1.5, r: 160, layers: 1 },
  croquettes: { piece: rings(fine), n: 8, size: 1.6, r: 225, layers: 1.3 },
  arancini: { piece: ball(fine, { r: 66, squash: 0.85, rough: 0.06 }), n: 4, size: 1.75, r: 190, layers: 1 },
  'garlic-bread': { piece: block(roasted('#f6dc94', '#e2a648', '#9a5416', { amount: 0.45, gloss: 0.45 }), { w: 170, h: 110, t: 40, round: 0.8, rim: '#9c5a1e' }), n: 6, size: 1.45, r: 220, layers: 1.3 },
  flatbread: { piece: slice((q, a, u, v, o, s) => pale(u, v, o, s), { r: 190, t: 22, edge: 12 }), n: 3, size: 1.25, r: 110, layers: 1 },
  bread: { piece: block(roasted('#f0dcb0', '#e2bd7c', '#a86a2c', { amount: 0.25 }), { w: 170, h: 120, t: 40, round: 0.8, rim: '#8a4a18' }), n: 5, size: 1.45, r: 215, layers: 1.2 },
  chips: { piece: plain('chips', 1.3), n: 26, size: 1.4, r: 245, layers: 2 },
  khachapuri: { piece: boat, n: 1, size: 1.3, r: 1, layers: 1 },
};

/** Names of the kinds of pieces. */
export const PIECE_NAMES = Object.keys(KINDS);

export function pieces(recipe, { style, random, ground }) {
  const H = 1330, cy = H / 2, scene = tableOf(style, { h: H, colour: ground });
  roundBoard(scene, 500, cy, 452, style.board, { seed: 5 });
  paper(scene, 500, cy, 800, 800, { c: style.stone ? '#efe9dc' : '#d9b584', turn: 0.3, t: 22, seed: 6, pattern: style.weave ? '#e9cf9c' : undefined });
  const one = KINDS[recipe.kind], kind = { ...one, r: one.r > 1 ? one.r * 1.16 : one.r, size: one.size * 1.17 }, n = Math.min(60, recipe.kind === 'fries' ? 46 : recipe.count ?? kind.n);
  const shift = recipe.sauce && kind.r > 1 ? 45 : 0, crowd = Math.min(1.15, Math.max(0.72, Math.sqrt(n / kind.n)));
  const size = kind.size * (n < kind.n ? Math.min(1.22, Math.sqrt(kind.n / n)) : Math.max(0.85, Math.sqrt(kind.n / n)));
  const x = 500 - shift, y = cy - 8 + shift * 0.5;
  if (kind.layers >= 2) hill(scene, x, y, kind.r * 0.9, 70, INGREDIENTS.potato.look, { base: 26 });
  const points = n === 1 ? [{ x: 500, y: cy }] : kind.aligned ? rows(n, x, y, kind.r * crowd, random) : spread(n, disk(x, y, kind.r * crowd), random);
  points.sort((a, b) => Math.hypot(b.x - x, b.y - y) - Math.hypot(a.x - x, a.y - y));
  for (const p of points) kind.piece(scene, { x: p.x, y: p.y, turn: p.turn ?? random.angle() }, size, random);
  const inside = disk(x, y, kind.r * 0.72), melted = ['cheddar', 'mozzarella', 'gouda'];
  for (const t of recipe.toppings ?? []) { const it = INGREDIENTS[t]; lay(scene, t, t === 'lemon' ? 2 : it.leafy ? 6 : melted.includes(t) ? 14 : it.small || it.coat ? 9 : 8, t === 'lemon' ? disk(760, cy + 190, 40) : inside, 1.25, random, []); }
  if (recipe.sauce && kind.r > 1) ramekin(scene, recipe.sauce, 742, cy - 232, 118, random, { base: 24 });
  return { scene, tilt: 32, lift: 26 };
}

function rows(n, x, y, r, random) {
  const out = [], turn = -0.5;
  for (let i = 0; i < n; i++) {
    const row = n > 4 && i % 2, k = Math.floor(i / (n > 4 ? 2 : 1)), per = Math.ceil(n / (n > 4 ? 2 : 1));
    const v = (k - (per - 1) / 2) * (2.3 * r / per), u = n > 4 ? (row ? 0.62 : -0.62) * r : 0;
    out.push({ x: x + u * Math.cos(turn) - v * Math.sin(turn), y: y + u * Math.sin(turn) + v * Math.cos(turn), turn: turn + random.range(-0.12, 0.12) });
  }
  return out;
}

/** A folded pizza: a half moon of baked dough, opened at a corner to show its filling. */
export function calzone(recipe, { style, random, ground }) {
  const H = 1290, cy = H / 2 - 150, scene = tableOf(style, { h: H, colour: ground });
  roundBoard(scene, 500, H / 2, 450, style.board, { handle: true });
  const r = 400, turn = -0.2, seed = Math.floor(random.next() * 1e6);
  const look = roasted('#f1c983', '#cf8232', '#5c260c', { amount: 0.5, gloss: 0.3, scale: 34 });
  scene.put({ x: 500, y: cy, rx: r * 1.05, turn, base: 20 }, (u, v, o) => {
    const d = Math.min(r - Math.hypot(u, v), v + 20 + (noise(u / 60, 3, seed) - 0.5) * 12);
    if (d <= -0.5) return;
    o.a = clamp(d + 0.5); look(u, v, o, seed);
    const rim = r - Math.hypot(u, v), a = Math.atan2(v, u), edge = smooth(64, 46, rim);
    const mound = 96 * Math.sqrt(clamp(1 - (Math.hypot(u / 360, (v - 170) / 190)) ** 2)) * (0.9 + 0.2 * noise(u / 80, v / 80, seed));
    o.z += rounded(d, 34, 26) + mound + edge * (14 + 13 * Math.sin(a * 30 - rim / 10));
  });
  for (const q of [-90, 20, 130]) scene.put({ x: 500 + q, y: cy + 165 - Math.abs(q) * 0.1, rx: 60, ry: 19, turn: turn + 1.1, base: 0, follow: 1, over: true }, (u, v, o) => {
    const d = 1 - Math.hypot(u / 58, v / 17); if (d <= 0) return;
    o.a = smooth(0, 0.3, d); INGREDIENTS[recipe.filling[0]].look(u, v, o, 5); o.z = -9 * d; o.r *= 0.8; o.g *= 0.8; o.b *= 0.8;
  });
  const spill = disk(270, cy + 20, 120);
  if (recipe.sauce) ramekin(scene, recipe.sauce, 770, cy - 40, 110, random, { base: 20 });
  mixture(scene, recipe.filling.filter((f) => f !== 'mozzarella' && f !== 'ricotta'), 380, cy - 62, 118, 1.15, random, { much: 1 });
  for (const f of recipe.filling.filter((t) => INGREDIENTS[t].leafy)) lay(scene, f, 2, spill, 1, random, []);
  return { scene, tilt: 28, lift: 14 };
}

export function focaccia(recipe, { style, random, ground }) {
  const H = 1290, cy = H / 2, scene = tableOf(style, { h: H, colour: ground });
  slab(scene, 500, cy, 900, 900, { c: style.board, grain: true, t: 22, corner: 40 });
  const look = roasted('#f6d691', '#dd9a3c', '#9a5216', { amount: 0.5, gloss: 0.5, scale: 40 }), seed = Math.floor(random.next() * 1e6);
  const dimples = spread(26, (r) => ({ x: r.range(-300, 300), y: r.range(-250, 250) }), random);
  scene.put({ x: 500, y: cy, rx: 380, ry: 330, turn: -0.14, base: 22 }, (u, v, o) => {
    const d = Math.min(355 - Math.abs(u), 305 - Math.abs(v)) + (noise(u / 70, v / 70, seed) - 0.5) * 34;
    if (d <= -0.5) return;
    o.a = clamp(d + 0.5); look(u, v, o, seed);
    let dip = 0; for (const p of dimples) { const q = Math.hypot(u - p.x, v - p.y); if (q < 46) dip = Math.max(dip, 1 - q / 46); }
    o.z += rounded(d, 50, 74) - smooth(0, 1, dip) * 34; o.gloss += smooth(0.2, 0.8, dip) * 0.4;
  });
  for (const t of recipe.toppings) lay(scene, t, 11, (r) => ({ x: 500 + r.range(-280, 280), y: cy + r.range(-230, 230) }), 1.5, random, []);
  return { scene, tilt: 30, lift: 26 };
}

/** Bread above and below, the filling looking out at the edge. */
function stacked(top, base) {
  return (recipe, { style, random, ground }) => {
    const H = 1700, cy = H / 2 + 40, scene = tableOf(style, { h: H, colour: ground });
    roundBoard(scene, 500, H / 2, 450, style.board, { seed: 4 });
    const shape = base(recipe), seed = Math.floor(random.next() * 1e6);
    const put = (t, z, grow, look, dome) => scene.put({ x: 500, y: cy, rx: shape.rx + 40, ry: shape.ry + 40, base: z }, (u, v, o) => {
      const d = (1 - ((Math.abs(u) / (shape.rx + grow)) ** shape.p + (Math.abs(v) / (shape.ry + grow)) ** shape.p) ** (1 / shape.p)) * shape.ry;
      if (d <= -0.5) return;
      o.a = clamp(d + 0.5); look(u, v, o, seed); o.z += rounded(d, dome, t);
      if (dome > 60 && recipe.form === 'burger' && noise(u / 9, v / 9, seed) > 0.83) { tint(o, hex('#fbeccb')); o.z += 3; }
    });
    put(60, 20, 0, top(recipe), 30);
    recipe.filling.forEach((f, i) => {
      const it = INGREDIENTS[f]; if (!it) { pool(scene, f, 500, cy, shape.rx, shape.ry, { base: 90 + i * 14, follow: 0, t: 12, seed: i }); return; }
      const n = it.wide ? 3 : 14, ring = (r) => { const a = r.range(0.05, 3.1); return { x: 500 + Math.cos(a) * shape.rx * 0.88, y: cy + Math.sin(a) * shape.ry * 0.88 }; };
      lay(scene, f, n, ring, it.wide ? 1.6 : 1.5, random, [], { base: 76 + i * 20, follow: 0 });
    });
    put(150, 96 + recipe.filling.length * 20, -8, top(recipe), 150);
    return { scene, tilt: 46, lift: 96 };
  };
}

const bun = (r) => roasted(r.bun === 'black' ? '#2c2624' : '#e29a44', r.bun === 'black' ? '#1c1816' : '#c06c1e', r.bun === 'black' ? '#0e0c0a' : '#7a3a0c', { amount: 0.3, gloss: 0.6, scale: 60 });
export const burger = stacked(bun, () => ({ rx: 300, ry: 300, p: 2 }));
export const sandwich = stacked(() => crust, (r) => (r.bread === 'toast' ? { rx: 300, ry: 270, p: 7 } : r.bread === 'bun' ? { rx: 290, ry: 290, p: 2 } : { rx: 400, ry: 210, p: 3 }));
