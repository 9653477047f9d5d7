// Desserts: cakes cut in pieces with layered sides, sweets in heaps, things in bowls.
import { rounded, tint } from '../draw/scene.mjs';
import { noise, fractal, cells } from '../draw/noise.mjs';
import { hex, mix, smooth, clamp } from '../draw/colour.mjs';
import { crumbly, mottled, roasted, fibrous } from '../ingredients/looks.mjs';
import { ball, block, slice, strip } from '../ingredients/shapes.mjs';
import { INGREDIENTS } from '../ingredients/table.mjs';
import { SAUCES } from '../ingredients/sauces.mjs';
import { tableOf, bowl, plate } from './table.mjs';
import { disk, drizzle, lay, pool } from './place.mjs';
import { mixture } from './heap.mjs';
import { drawPizza } from './pizza.mjs';

const cream = mottled('#fffaf0', '#f6e8cc', { scale: 40, gloss: 0.4, soft: 0.8 });
const cocoa = crumbly('#6a3a1e', '#472210', { grain: 3.5, bump: 1.6 });
const cake = (c1, c2) => crumbly(c1, c2, { grain: 6, bump: 2.5 });

/** Layers of a cake from the bottom up: [[part of height, colour], …]. */
const CAKES = {
  cheesecake: { top: roasted('#fbe3a4', '#f0bd62', '#c07a2c', { amount: 0.25, gloss: 0.4, scale: 50 }), layers: [[0.2, '#a8682c'], [0.95, '#fff2cf'], [1, '#f2c470']] },
  'cheesecake-berry': { top: mottled('#b8143c', '#8a0a28', { gloss: 0.9, scale: 30 }), layers: [[0.2, '#a8682c'], [0.86, '#fff4d8'], [1, '#b0123a']] },
  tiramisu: { top: cocoa, layers: [[0.14, '#c08a50'], [0.38, '#fff3d8'], [0.54, '#8a5426'], [0.62, '#b07840'], [0.95, '#fff3d8'], [1, '#5a3018']], square: true },
  brownie: { top: roasted('#4a2412', '#34170a', '#1e0a04', { amount: 0.4, scale: 24 }), layers: [[0.8, '#341607'], [1, '#4c2512']], square: true },
  'cake-chocolate': { top: mottled('#3f1c0c', '#2a1006', { gloss: 0.85 }), layers: [[0.26, '#4c2410'], [0.33, '#8a5630'], [0.58, '#4c2410'], [0.65, '#8a5630'], [0.93, '#4c2410'], [1, '#2a1006']] },
  'cake-carrot': { top: cream, layers: [[0.28, '#b86c2a'], [0.36, '#fff6e2'], [0.6, '#b86c2a'], [0.68, '#fff6e2'], [0.9, '#b86c2a'], [1, '#fffaf0']] },
  'cake-red-velvet': { top: cream, layers: [[0.27, '#a0141e'], [0.36, '#fff6ee'], [0.6, '#a0141e'], [0.68, '#fff6ee'], [0.9, '#a0141e'], [1, '#fffaf4']] },
  'cake-honey': { top: cake('#e0ac60', '#b87c34'), layers: Array.from({ length: 14 }, (_, i) => [(i + 1) / 14, i % 2 ? '#fbeccb' : '#b8722c']) },
  'cake-berry': { top: cream, layers: [[1, '#f7dfe0']] },
};

/** Sweets laid in numbers: one piece, how many, how big. */
function sweets(flavour) {
  const f = flavour && (INGREDIENTS[flavour]?.look ?? ((u, v, o) => tint(o, SAUCES[flavour].colour)));
  const tone = (fallback) => { if (!f) return hex(fallback); const o = { z: 0 }; f(4, 4, o, 1); return mix([o.r, o.g, o.b], [1, 1, 1], 0.2); };
  const powder = (c) => (u, v, o, s) => { const n = fractal(u / 14, v / 14, s); tint(o, mix(c, [1, 1, 1], smooth(0.5, 0.85, n) * 0.45)); o.z = (o.z || 0) + n * 3; o.soft = 0.7; o.gloss = 0.12; };
  const layered = roasted('#e9b255', '#c4802a', '#8a4a12', { amount: 0.5, gloss: 0.8, scale: 14 });
  const choux = roasted('#e6ac58', '#c4802c', '#8a4c14', { amount: 0.35 });
  return {
    mochi: { n: 3, r: 170, size: 1, piece: ball(powder(tone('#f9c4d0')), { r: 138, squash: 0.62, oval: 0.06, vary: 0.03 }) },
    baklava: { n: 5, r: 210, size: 1, piece: diamond(layered) },
    lokum: { n: 8, r: 215, size: 1, piece: block(powder(tone('#e8406a')), { w: 118, h: 112, t: 78, round: 0.16, rough: 0.03, edge: 12 }) },
    halva: { n: 4, r: 190, size: 1, piece: block(fibrous('#e6cf9c', '#c2a064', { across: 8, bump: 3 }), { w: 180, h: 110, t: 70, round: 0.1, rough: 0.12, edge: 10 }) },
    donut: { n: 2, r: 150, size: 1, piece: donut(tone('#f7a0b8'), choux) },
    churros: { n: 7, r: 190, size: 1, piece: strip(ridged(roasted('#dd9c48', '#b86f22', '#7a3d0c', { amount: 0.3 })), { l: 330, w: 56, t: 50, bend: 0.12, taper: 0.03, vary: 0.08, follow: 0 }), aligned: true },
    eclair: { n: 2, r: 120, size: 1, piece: iced(choux, flavour ? tone('#4a2010') : hex('#40190a')), aligned: true },
    cannoli: { n: 3, r: 150, size: 1, piece: cannolo, aligned: true },
    cookie: { n: 4, r: 190, size: 1, piece: slice((q, a, u, v, o, s) => { cake('#d9a254', '#b27a32')(u, v, o, s); const p = cells(u / 34, v / 34, s); if (p < 0.33) { tint(o, hex('#3a1a0a')); o.z += 7; o.gloss = 0.5; } }, { r: 138, t: 34, edge: 26, follow: 0.2 }) },
    croissant: { n: 2, r: 150, size: 1, piece: croissant },
    macarons: { n: 6, r: 210, size: 1, piece: macaron },
    syrniki: { n: 4, r: 175, size: 1, piece: slice((q, a, u, v, o, s) => roasted('#f4d088', '#dd9a40', '#9a5818', { amount: 0.5 })(u, v, o, s), { r: 128, t: 66, edge: 34, follow: 0 }) },
    pancakes: { n: 5, r: 14, size: 1, stack: true, piece: slice((q, a, u, v, o, s) => { roasted('#e9b460', '#cf8a34', '#a05f1c', { amount: 0.3, scale: 60 })(u, v, o, s); if (q > 0.9) tint(o, hex('#f6dfa4')); }, { r: 270, t: 40, edge: 20, follow: 0.15, oval: 0.02 }) },
    'sweet-roll': { n: 6, r: 200, size: 1, piece: slice((q, a, u, v, o, s) => { if (q < 0.5 && f) f(u, v, o, s); else cream(u, v, o, s); if (q > 0.86) tint(o, hex('#e6a95c')); }, { r: 104, t: 90, edge: 10, follow: 0, oval: 0.03 }) },
  };
}

function ridged(look) { return (u, v, o, s) => { look(u, v, o, s); o.z += Math.cos(v / 3.4) * 4; const n = noise(u / 3, v / 3, s); if (n > 0.72) tint(o, [1, 0.98, 0.94]); }; }

function diamond(look) {
  return (scene, at, size, random) => {
    const seed = Math.floor(random.next() * 1e6), base = at.base ?? scene.support(at.x, at.y, 40);
    const wall = scene.addWall((px, py, z, out) => { const q = Math.sin((z - base) * 0.55 + noise(px / 14, z / 9, seed) * 3), k = 0.62 + q * 0.3; out.r = 0.62 * k; out.g = 0.3 * k; out.b = 0.07 * k; });
    scene.put({ ...at, turn: at.turn * 0.12 - 0.1, base, rx: 160, ry: 96, wall }, (u, v, o) => {
      const d = (1 - Math.abs(u) / 152 - Math.abs(v) / 92) * 78;
      if (d <= -0.5) return;
      o.a = clamp(d + 0.5); look(u, v, o, seed); o.z += rounded(d, 9, 96) + Math.sin(v / 7 + u / 40) * 2.2;
      const nut = smooth(34, 24, Math.hypot(u, v) + noise(u / 8, v / 8, seed) * 16);
      if (nut > 0) { const p = cells(u / 9, v / 9, seed); tint(o, mix([o.r, o.g, o.b], mix(hex('#9cb83a'), hex('#5c7a1c'), p), nut)); o.z += nut * (12 - p * 8); }
    });
  };
}

function donut(glaze, dough) {
  return slice((q, a, u, v, o, s) => { dough(u, v, o, s); const e = q + (noise(Math.cos(a) * 3, Math.sin(a) * 3, s) - 0.5) * 0.12; if (e < 0.9 && e > 0.36) { tint(o, glaze); o.gloss = 0.85; o.z += 4; if (noise(u / 7, v / 7, s + 4) > 0.86) { tint(o, mix(hex('#ffd23a'), hex('#3fa8e0'), noise(u / 20, v / 20, s) > 0.5 ? 1 : 0)); o.z += 3; } } }, { r: 190, t: 88, hole: 0.3, follow: 0.1, oval: 0.03 });
}

function iced(dough, glaze) {
  return strip((u, v, o, s) => { dough(u, v, o, s); if (Math.abs(v) < 38 + noise(u / 24, 2, s) * 12) { tint(o, glaze); o.gloss = 0.9; o.z += 4; } }, { l: 430, w: 140, t: 100, bend: 0.02, taper: 0.06, vary: 0.02, follow: 0 });
}

function cannolo(scene, at, size, random) {
  const c = Math.cos(at.turn), s = Math.sin(at.turn);
  for (const e of [-1, 1]) ball(cream, { r: 62, squash: 0.9, rough: 0.12, vary: 0.02 })(scene, { ...at, x: at.x + c * 176 * e, y: at.y + s * 176 * e, base: 24 }, size, random);
  strip(roasted('#d9934a', '#a85c20', '#6c3208', { amount: 0.45, gloss: 0.4 }), { l: 350, w: 132, t: 96, bend: 0.02, taper: -0.08, vary: 0.02, follow: 0 })(scene, { ...at, base: 20 }, size, random);
  for (const e of [-1, 1]) for (let i = 0; i < 7; i++) INGREDIENTS.pistachio.piece(scene, { x: at.x + c * 205 * e + random.range(-24, 24), y: at.y + s * 205 * e + random.range(-34, 34), turn: random.angle() }, 0.9, random);
}

function croissant(scene, at, size, random) {
  const look = roasted('#e9ac52', '#c6771f', '#7c3c0a', { amount: 0.45, gloss: 0.5, scale: 22 }), seed = Math.floor(random.next() * 1e6);
  scene.put({ ...at, rx: 240, ry: 190 }, (u, v, o) => {
    const c = (u * u) / 330 - 60, w = 96 * Math.sqrt(Math.max(0, 1 - (u / 235) ** 2)), d = w - Math.abs(v - c);
    if (d <= -0.5) return;
    o.a = clamp(d + 0.5); look(u, v, o, seed);
    const seg = Math.abs(Math.sin(u / 34 + 0.8)); o.z += rounded(d, w, w) * (0.78 + 0.22 * seg);
    const k = 0.7 + 0.34 * seg; o.r *= k; o.g *= k; o.b *= k;
  });
}

function macaron(scene, at, size, random) {
  const c = random.pick(['#f4a6b8', '#b8d88c', '#f2d07c', '#c8a4dc', '#a8764a', '#f7b98c']), look = mottled(c, c, { gloss: 0.25, soft: 0.6 });
  const base = at.base ?? scene.support(at.x, at.y, 40);
  const shell = hex(c), wall = scene.addWall((px, py, z, out) => { const h = z - base, t = h > 28 && h < 48 ? hex('#fff4e4') : shell, k = 0.8 - clamp((px - at.x) / 90, -1, 1) * 0.25; out.r = t[0] * k; out.g = t[1] * k; out.b = t[2] * k; });
  scene.put({ ...at, base, rx: 92, wall }, (u, v, o) => { const d = 88 - Math.hypot(u, v); if (d <= -0.5) return; o.a = clamp(d + 0.5); look(u, v, o, 2); o.z += rounded(d, 40, 88); });
}

/** A wedge or a square of cake with its layers on the side. */
function cakeSlice(scene, name, x, y, base, random) {
  const c = CAKES[name], tall = 190, seed = Math.floor(random.next() * 1e6), layers = c.layers.map(([p, h]) => [p, hex(h)]);
  const side = (light) => (px, py, z, out) => {
    const h = (z - base) / tall + (noise(px / 30, z / 20, seed) - 0.5) * 0.035;
    let col = layers[layers.length - 1][1];
    for (const [p, l] of layers) if (h <= p) { col = l; break; }
    const n = noise(px / 5, z / 5, seed), k = light(px) * (0.85 + n * 0.25) * (0.72 + 0.28 * smooth(0, 0.3, h));
    out.r = col[0] * k; out.g = col[1] * k; out.b = col[2] * k;
  };
  const turn = c.square ? 0.6 : 0;
  const wall = scene.addWall(side((px) => (px < x + (c.square ? -10 : 30) ? 1.05 : 0.68)));
  scene.put({ x, y, rx: 320, turn, base, wall }, (u, v, o) => {
    let d;
    if (c.square) d = 205 - Math.max(Math.abs(u), Math.abs(v) * 1.18);
    else { const tip = v - 270, a = 0.46; d = Math.min(-(Math.abs(u) * Math.cos(a) + tip * Math.sin(a)), 560 - Math.hypot(u, tip)); }
    if (d <= -0.5) return;
    o.a = clamp(d + 0.5); c.top(u, v, o, seed);
    o.z += rounded(d, 8, tall);
  });
  return base + tall;
}

/** Names of desserts. */
export const DESSERT_NAMES = [...Object.keys(CAKES).filter((n) => n !== 'cake-berry'), ...Object.keys(sweets()), 'panna-cotta', 'ice-cream', 'fondant', 'kunafa', 'fruit-salad', 'pizza-sweet', 'rice-pudding'];

export function dessert(recipe, { style, random, ground }) {
  const { kind } = recipe, H = 1560, cy = H / 2, scene = tableOf(style, { h: H, colour: ground });
  const tops = recipe.toppings ?? [];
  let tilt = 38, lift = 40, over = disk(500, cy, 110), size = 1.5;
  if (['ice-cream', 'fruit-salad', 'rice-pudding'].includes(kind)) {
    const level = bowl(scene, 500, cy, 390, kind === 'rice-pudding' ? '#b4622c' : style.bowl, { tall: 140, inner: style.ceramic, fill: 0.7 });
    if (kind === 'fruit-salad') mixture(scene, [...tops], 500, cy, 320, 1.6, random, { much: 1.8 });
    else if (kind === 'rice-pudding') {
      const look = roasted('#fbeed0', '#e2a850', '#8a4614', { amount: 0.4, gloss: 0.55, scale: 46 });
      scene.put({ x: 500, y: cy, rx: 366, base: level, over: true }, (u, v, o) => { const d = 364 - Math.hypot(u, v); if (d <= 0) return; o.a = clamp(d); look(u, v, o, 5); });
    } else {
      const f = recipe.flavour, o = { z: 0 };
      if (f) (INGREDIENTS[f]?.look ?? ((u, v, q) => tint(q, SAUCES[f].colour)))(2, 2, o, 1);
      const c = f ? mix([o.r, o.g, o.b], [1, 1, 1], 0.4) : hex('#fff0cc');
      const look = (u, v, q, s) => { const n = fractal(u / 12, v / 12, s); tint(q, c, 0.88 + n * 0.2); q.z = (q.z || 0) + n * 9; q.soft = 0.7; q.gloss = 0.3; };
      for (const [dx, dy] of [[-130, -60], [130, -60], [0, 110]]) ball(look, { r: 158, squash: 0.7, rough: 0.05, vary: 0.02 })(scene, { x: 500 + dx, y: cy + dy, turn: 0, base: level }, 1, random);
    }
    if (kind !== 'fruit-salad') tilt = 34;
    over = disk(500, cy, 170);
    if (recipe.sauce) drizzle(scene, recipe.sauce, 500, cy, 420, 300, random, { turns: 4, width: 16 });
    if (kind !== 'fruit-salad') for (const t of tops) lay(scene, t, 6, over, 1.4, random, []);
    return { scene, tilt, lift };
  }
  const top = plate(scene, 500, cy, 440, style.ceramic, { depth: 26, line: style.bowl });
  if (kind === 'pizza-sweet') { drawPizza(scene, { sauce: 'cream', toppings: tops, drizzle: recipe.sauce, crust: 'thin' }, 500, cy, 385, random, { base: top + 6 }); return { scene, tilt: 24, lift: 12 }; }
  if (CAKES[kind]) {
    if (recipe.sauce) drizzle(scene, recipe.sauce, 500, cy + 60, 620, 300, random, { turns: 4, width: 14, turn: 0.3 });
    cakeSlice(scene, kind, 500, cy - 10, top, random);
    over = disk(500, cy - 30, kind === 'tiramisu' ? 80 : 70); tilt = 48; lift = 84;
  } else if (kind === 'fondant' || kind === 'panna-cotta') {
    const dark = kind === 'fondant', look = dark ? cake('#5c2c12', '#36160a') : cream, s = SAUCES[recipe.sauce ?? (dark ? 'chocolate-sauce' : 'berry-sauce')];
    const wall = scene.addWall((px, py, z, out) => { const o = { z: 0 }; look(px, z, o, 3); const drip = smooth(0, 8, z - (top + 190 - 120 * noise(px / 34, 3, 5))) * (recipe.sauce ? 1 : 0); const c = mix([o.r, o.g, o.b], s.colour, drip), k = 0.92 - clamp((px - 500) / 200, -1, 1) * 0.34; out.r = c[0] * k; out.g = c[1] * k; out.b = c[2] * k; });
    if (recipe.sauce) pool(scene, recipe.sauce, 500, cy + 60, 310, 230, { t: 8, base: top, follow: 0, seed: 4 });
    scene.put({ x: 500, y: cy, rx: 205, base: top, wall }, (u, v, o) => { const d = 200 - Math.hypot(u, v); if (d <= -0.5) return; o.a = clamp(d + 0.5); look(u, v, o, 3); o.z += rounded(d, 22, 180); if (recipe.sauce && d > 16 + noise(u / 30, v / 30, 4) * 30) { tint(o, s.colour); o.gloss = 0.9; o.z += 4; } });
    over = disk(500, cy, 90); tilt = 46; lift = 70;
  } else if (kind === 'kunafa') {
    const look = fibrous('#f2a23c', '#c8680f', { across: 5, along: 20, gloss: 0.5, bump: 4 });
    const seed = Math.floor(random.next() * 1e5);
    scene.put({ x: 500, y: cy, rx: 320, base: top }, (u, v, o) => { const d = 315 - Math.hypot(u, v); if (d <= -0.5) return; o.a = clamp(d + 0.5); const w = noise(u / 30, v / 30, seed) * 6.28; look(u * Math.cos(w) + v * Math.sin(w), v * Math.cos(w) - u * Math.sin(w), o, seed); o.z += rounded(d, 16, 54); });
    lay(scene, 'pistachio', 26, disk(500, cy, 120), 0.85, random, []);
    over = disk(500, cy, 150); size = 1;
  } else {
    const one = sweets(recipe.flavour)[kind], n = recipe.count ?? one.n;
    const points = one.stack ? Array.from({ length: n }, () => ({ x: 500 + random.range(-12, 12), y: cy + random.range(-12, 12) })) : one.aligned ? Array.from({ length: n }, (_, i) => ({ x: 500 + (i - (n - 1) / 2) * (one.piece === cannolo ? 60 : 44), y: cy + (i - (n - 1) / 2) * (kind === 'churros' ? 74 : 170) })) : n === 1 ? [{ x: 500, y: cy }] : circle(n, cy, one.r * (n < 4 ? 1 : 1.06));
    const k = n === 1 ? 1.5 : n < one.n ? 1.12 : n > one.n ? 0.86 : 1;
    points.sort((a, b) => a.y - b.y);
    for (const p of points) one.piece(scene, { x: p.x, y: p.y, turn: one.aligned ? -0.42 + random.range(-0.05, 0.05) : random.angle(), ...(one.stack ? {} : { base: top + 2 }) }, k, random);
    over = disk(500, cy, 190); size = 1.3;
    if (recipe.sauce) drizzle(scene, recipe.sauce, 500, cy, 520, 340, random, { turns: 5, width: 12, turn: 0.5 });
  }
  for (const t of tops) { const it = INGREDIENTS[t]; lay(scene, t, it.small ? 5 : it.leafy ? 2 : 3, over, size, random, []); }
  return { scene, tilt, lift };
}

function circle(n, cy, r) {
  const ring = n > 6 ? n - 1 : n, out = n > 6 ? [{ x: 500, y: cy }] : [];
  for (let i = 0; i < ring; i++) { const a = (i / ring) * 6.2832 - 0.6; out.push({ x: 500 + Math.cos(a) * r, y: cy + Math.sin(a) * r }); }
  return out;
}
