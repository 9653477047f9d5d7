// Drinks standing: bodies of revolution whose sides are painted by height.
import { rounded, tint } from '../draw/scene.mjs';
import { noise, fractal, cells } from '../draw/noise.mjs';
import { hex, mix, smooth, clamp } from '../draw/colour.mjs';
import { INGREDIENTS } from '../ingredients/table.mjs';
import { LIQUIDS } from '../ingredients/sauces.mjs';
import { COLOURS, tableOf, roundBoard } from './table.mjs';
import { disk, lay } from './place.mjs';

const WHITE = [1, 1, 1], STEEL = hex('#c9ccd0');
const FOAM = new Set(['beer', 'lager', 'kvass', 'latte', 'cappuccino', 'cocoa', 'milkshake-vanilla', 'milkshake-chocolate', 'milkshake-strawberry', 'matcha', 'ayran']);
const CLOUDY = new Set(['ayran', 'kefir', 'milk', 'milkshake-vanilla', 'milkshake-chocolate', 'milkshake-strawberry', 'latte', 'cappuccino', 'cocoa', 'matcha', 'smoothie-berry', 'smoothie-mango', 'smoothie-green', 'tomato-juice', 'coffee']);

/** Light on a glass cylinder: a window's reflection at the left, a rim light at the right. */
function glassLight(nx) {
  return { body: 0.92 - nx * 0.3 - Math.abs(nx) ** 6 * 0.3, shine: smooth(0.1, 0.03, Math.abs(nx + 0.6)) * 0.75 + smooth(0.05, 0.0, Math.abs(nx - 0.8)) * 0.35 };
}

/** A glass of liquid: returns nothing, draws at (x, y). */
function tumbler(scene, x, y, r, tall, liquid, { extras = [], random, base = 0, full = 0.88 }) {
  const q = LIQUIDS[liquid], cloudy = CLOUDY.has(liquid), foam = FOAM.has(liquid);
  const ice = extras.includes('ice'), seed = Math.floor(random.next() * 1e5), level = tall * full;
  const bits = extras.filter((e) => e !== 'ice');
  const wall = scene.addWall((px, py, z, out) => {
    const nx = clamp((px - x) / r, -1, 1), h = (z - base) / tall, { body, shine } = glassLight(nx);
    let c;
    if (h > full) c = mix(hex('#d8dcda'), WHITE, 0.4 + 0.4 * Math.abs(nx));
    else if (h < 0.05) c = mix(q.second, WHITE, 0.5);
    else {
      c = mix(q.second, q.colour, clamp(0.25 + h * 0.9 + (cloudy ? 0.2 : 0.12 * Math.sin(h * 9 + nx * 3))));
      if (!cloudy) c = mix(c, q.second, Math.abs(nx) ** 3 * 0.5);
      if (foam && h > full - 0.11) c = mix(c, hex('#fffaf0'), 0.86);
      if (ice && h > full - 0.42) { const s = noise(px / 46, z / 46, seed), e = Math.abs(s - 0.5); c = mix(c, WHITE, smooth(0.09, 0.0, e) * 0.5 + (s > 0.5 ? 0.16 : 0)); }
      bits.filter((e) => !INGREDIENTS[e].leafy).forEach((e, i) => {
        const s = cells(px / 96 + i * 0.7, z / 84 + i * 0.4, seed + 7 + i), it = INGREDIENTS[e], o = { z: 0 };
        if (s < 0.34 && h < full - 0.1) { it.look(px, z, o, seed); c = mix(c, [o.r, o.g, o.b], smooth(0.34, 0.31, s) * (0.5 + 0.3 * smooth(0.24, 0.3, s))); }
      });
      if (!cloudy) { const d = noise(px / 5, z / 5, seed + 2); if (d > 0.93) c = mix(c, WHITE, 0.35); }
    }
    const k = body * 1.05;
    out.r = c[0] * k + shine; out.g = c[1] * k + shine; out.b = c[2] * k + shine;
  });
  scene.put({ x, y, rx: r + 1, base, wall }, (u, v, o) => {
    const d = r - Math.hypot(u, v);
    if (d <= -0.5) return;
    o.a = clamp(d * scene.k + 0.5);
    if (d < r * 0.06) { o.z = tall; tint(o, [0.9, 0.93, 0.93]); o.gloss = 0.9; return; }
    o.z = level;
    const n = fractal(u / 24, v / 24, seed);
    tint(o, foam ? mix(hex('#fffaf0'), q.colour, n * 0.3) : mix(q.colour, q.second, smooth(r * 0.3, 0, d) * 0.5));
    if (foam) o.z += n * 7;
    o.gloss = foam ? 0.2 : 0.9; o.soft = 0.6;
  });
  if (ice) for (let i = 0; i < 4; i++) cube(scene, x + random.range(-0.42, 0.42) * r, y + random.range(-0.42, 0.42) * r, r * 0.3, random, base + level - r * 0.16, q.colour);
  bits.forEach((e, i) => {
    const it = INGREDIENTS[e], n = it.leafy ? 4 : it.small ? 5 : 2, a = i * 2.2 + 0.6;
    const round = ['lemon', 'lime', 'orange', 'cucumber', 'kiwi'].includes(e);
    for (let j = 0; j < n; j++) it.piece(scene, { x: x + Math.cos(a) * r * 0.36 + random.range(-0.2, 0.2) * r, y: y + Math.sin(a) * r * 0.36 + random.range(-0.2, 0.2) * r, turn: random.angle(), base: base + level + 2 + i * 5 + j * 3, follow: 0 }, (r / 150) * (round ? 1.55 : 1.35), random);
  });
}

function cube(scene, x, y, s, random, base, tinted) {
  scene.put({ x, y, rx: s, turn: random.angle(), base }, (u, v, o) => {
    const d = s * 0.82 - Math.max(Math.abs(u), Math.abs(v));
    if (d <= -0.5) return;
    o.a = clamp(d + 0.5); o.z = rounded(d, s * 0.25, s * 0.5) + noise(u / 9, v / 9, 3) * 3;
    tint(o, mix(tinted, WHITE, 0.72)); o.gloss = 0.95; o.soft = 0.8;
  });
}

/** A body of revolution by its profile [[height, radius], …] going up, radius never growing. */
function turned(scene, x, y, profile, base, paint) {
  const r0 = profile[0][1], top = profile[profile.length - 1];
  const at = (q) => {
    for (let i = profile.length - 1; i > 0; i--) {
      const [h1, r1] = profile[i], [h0, ra] = profile[i - 1];
      if (q <= r1) return h1;
      if (q <= ra) return h0 + (h1 - h0) * smooth(0, 1, (ra - q) / Math.max(0.01, ra - r1));
    }
    return 0;
  };
  const radius = (h) => { for (let i = 1; i < profile.length; i++) if (h <= profile[i][0]) { const [h0, ra] = profile[i - 1], [h1, rb] = profile[i]; return ra + (rb - ra) * ((h - h0) / Math.max(1, h1 - h0)); } return top[1]; };
  const wall = scene.addWall((px, py, z, out) => {
    const h = z - base, nx = clamp((px - x) / Math.max(8, radius(h)), -1, 1), { body, shine } = glassLight(nx);
    const c = paint(h, nx, px), k = body;
    out.r = c[0] * k + shine * 0.8; out.g = c[1] * k + shine * 0.8; out.b = c[2] * k + shine * 0.8;
  });
  scene.put({ x, y, rx: r0 + 1, base, wall }, (u, v, o) => {
    const q = Math.hypot(u, v), d = r0 - q;
    if (d <= -0.5) return;
    o.a = clamp(d * scene.k + 0.5); o.z = at(q);
    tint(o, paint(o.z, clamp(u / Math.max(8, q), -1, 1) * clamp(q / r0), x + u)); o.gloss = 0.8; o.soft = 0.3;
  });
}

const mark = (px, x, h, lo, hi, seed) => { const t = (h - lo) / (hi - lo); return Math.abs(t - 0.5 + Math.sin((px - x) / 44 + seed) * 0.16) < 0.13; };

function bottle(scene, recipe, x, y, base, glass) {
  const q = LIQUIDS[recipe.liquid], label = COLOURS[recipe.label ?? 'red'], cap = glass ? hex('#c8b060') : label;
  const profile = [[0, 132], [400, 132], [455, 118], [520, 62], [560, 46], [640, 43], [644, 50], [690, 48]];
  turned(scene, x, y, profile, base, (h, nx, px) => {
    if (h > 641) return cap;
    if (h > 150 && h < 340) return mark(px, x, h, 150, 340, 1) ? WHITE : h < 160 || h > 330 ? WHITE : label;
    if (h > 540) return mix(q.colour, glass ? hex('#5c7a50') : WHITE, 0.55);
    return mix(mix(q.second, q.colour, clamp(0.2 + h / 500)), WHITE, Math.abs(nx) < 0.25 ? 0.1 : 0.02);
  });
}

function can(scene, recipe, x, y, base) {
  const label = COLOURS[recipe.label ?? 'red'], q = LIQUIDS[recipe.liquid];
  turned(scene, x, y, [[0, 168], [18, 168], [430, 168], [470, 140]], base, (h, nx, px) => (h < 12 || h > 436 ? STEEL : mark(px, x, h, 60, 400, 2) ? WHITE : h < 96 ? mix(q.colour, label, 0.3) : label));
  scene.put({ x, y, rx: 132, base: base + 470, over: true }, (u, v, o) => { const d = 130 - Math.hypot(u, v); if (d <= 0) return; o.a = clamp(d); tint(o, STEEL); o.z = d > 14 ? -10 : 0; const tab = Math.hypot(u / 24, (v - 14) / 40); if (tab < 1) { o.z += tab > 0.6 ? 6 : 2; tint(o, [0.5, 0.52, 0.54]); } o.gloss = 0.9; });
}

/** A drink standing on a small board. */
export function drink(recipe, { style, random, ground }) {
  const H = 2700, cy = H / 2, scene = tableOf(style, { h: H, colour: ground });
  const extras = recipe.extras ?? [], base = 14;
  roundBoard(scene, 500, cy + 30, 410, style.board, { t: 14, seed: 4 });
  const q = LIQUIDS[recipe.liquid], y = cy + 30;
  if (recipe.vessel === 'bottle' || recipe.vessel === 'glass-bottle') bottle(scene, recipe, 500, y, base, recipe.vessel === 'glass-bottle');
  else if (recipe.vessel === 'can') can(scene, recipe, 500, y, base);
  else if (recipe.vessel === 'carton') {
    const label = COLOURS[recipe.label ?? 'orange'];
    const wall = scene.addWall((px, py, z, out) => { const h = z - base, left = px < 500, k = left ? 1.05 : 0.66, c = mark(px, 500, h, 60, 420, 3) ? q.colour : h > 400 ? WHITE : label; out.r = c[0] * k; out.g = c[1] * k; out.b = c[2] * k; });
    scene.put({ x: 500, y, rx: 170, turn: 0.7, base, wall }, (u, v, o) => { const d = 150 - Math.max(Math.abs(u), Math.abs(v)); if (d <= -0.5) return; o.a = clamp(d + 0.5); tint(o, label); o.z = 470 + Math.max(0, 40 - Math.abs(v)) * 1.4; });
  } else if (recipe.vessel === 'cup' || recipe.vessel === 'mug') {
    const paperCup = recipe.vessel === 'cup', r = paperCup ? 190 : 250, tall = paperCup ? 420 : 300, c = paperCup ? hex('#f3ece0') : hex(style.bowl === '#262b30' ? '#eeeae2' : '#f3e8d4'), sleeve = hex(style.stone ? '#c8503a' : style.bowl);
    cupOf(scene, 500, y, r, tall, base, (h) => (paperCup && h > 90 && h < 240 ? sleeve : !paperCup && h > tall * 0.42 && h < tall * 0.56 ? sleeve : c), q, recipe, extras, random);
  } else if (recipe.vessel === 'teapot') teapot(scene, style, recipe, y, base, extras, random);
  else tumbler(scene, 500, y, recipe.vessel === 'jug' ? 226 : 200, recipe.vessel === 'jug' ? 540 : 530, recipe.liquid, { extras, random, base, });
  const round = extras.filter((e) => ['lemon', 'lime', 'orange'].includes(e))[0], leaf = extras.filter((e) => INGREDIENTS[e]?.leafy)[0];
  if (round) INGREDIENTS[round].piece(scene, { x: 270, y: y + 190, turn: 0.4, base: 16 }, 1.9, random);
  if (leaf) lay(scene, leaf, 3, disk(735, y + 200, 40), 1.2, random, [], { base: 16 });
  return { scene, tilt: 58, lift: recipe.vessel.includes('bottle') ? 270 : recipe.vessel === 'mug' || recipe.vessel === 'teapot' ? 110 : 205 };
}

function cupOf(scene, x, y, r, tall, base, paint, q, recipe, extras, random) {
  const wall = scene.addWall((px, py, z, out) => { const nx = clamp((px - x) / r, -1, 1), { body, shine } = glassLight(nx), c = paint(z - base); out.r = c[0] * body + shine * 0.2; out.g = c[1] * body + shine * 0.2; out.b = c[2] * body + shine * 0.2; });
  const foam = FOAM.has(recipe.liquid);
  scene.put({ x, y, rx: r + 1, base, wall }, (u, v, o) => {
    const d = r - Math.hypot(u, v);
    if (d <= -0.5) return;
    o.a = clamp(d + 0.5);
    if (d < r * 0.07) { o.z = tall; tint(o, paint(0)); o.gloss = 0.6; return; }
    const a = Math.atan2(v, u), n = fractal(u / 30, v / 30, 3);
    o.z = tall * 0.9 + (foam ? n * 6 : 0);
    const art = foam ? smooth(0.2, -0.2, Math.sin(d / 14 + Math.cos(a) * 2)) * smooth(r * 0.25, r * 0.5, d) : 0;
    tint(o, mix(mix(q.colour, q.second, smooth(r * 0.5, 0, d) * 0.6), hex('#fff6e4'), art * 0.8)); o.gloss = foam ? 0.3 : 0.9; o.soft = 0.5;
  });
  for (const e of extras.filter((t) => t !== 'ice')) { const it = INGREDIENTS[e]; for (let i = 0; i < (it.leafy ? 3 : 1); i++) it.piece(scene, { x: x + random.range(-0.3, 0.3) * r, y: y + random.range(-0.3, 0.3) * r, turn: random.angle(), base: base + tall * 0.9, follow: 0 }, r / 120, random); }
}

function teapot(scene, style, recipe, y, base, extras, random) {
  const c = hex(style.stone ? '#2c3136' : style.bowl === '#c8852e' ? '#d9c9a8' : '#fbf6ea'), x = 440, q = LIQUIDS[recipe.liquid];
  for (let i = 0; i < 14; i++) { const t = i / 13; scene.put({ x: x + 190 + t * 120, y, rx: 40 - t * 16, base: base + 90 + t * 150 }, (u, v, o) => { const d = 38 - t * 16 - Math.hypot(u, v); if (d <= 0) return; o.a = clamp(d); tint(o, c); o.z = 20; o.gloss = 0.7; }); }
  turned(scene, x, y, [[0, 232], [60, 232], [150, 214], [215, 160], [238, 112], [242, 110], [262, 86], [276, 34], [280, 30], [318, 28], [326, 14]], base, (h) => (h > 238 ? mix(c, [0.4, 0.3, 0.2], 0.08) : h > 96 && h < 112 ? hex(style.stone ? '#d2674a' : '#c9772c') : c));
  tumbler(scene, 765, y + 150, 84, 150, recipe.liquid, { extras: extras.filter((e) => e !== 'ice').slice(0, 1), random, base });
}
