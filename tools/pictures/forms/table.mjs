// What a dish stands on: grounds, plates, boards, bowls and paper.
import { Scene, rounded, tint } from '../draw/scene.mjs';
import { noise, fractal } from '../draw/noise.mjs';
import { hex, mix, smooth, clamp } from '../draw/colour.mjs';

/** Named plate and ground colours. */
export const COLOURS = Object.fromEntries(Object.entries({
  white: '#f6f5f1', cream: '#f6ead2', sand: '#e6d3ae', amber: '#f4b544', saffron: '#f0a01e', orange: '#ef7c2a', salmon: '#f79a80',
  red: '#d2362a', tomato: '#d8432c', berry: '#9c2450', pink: '#f4b2c0', violet: '#7c5cae', indigo: '#3f4a94', blue: '#3f7cc0',
  sky: '#a8d0ea', teal: '#2f8f8c', mint: '#b4dfc4', green: '#5ca03c', herb: '#4c7a34', olive: '#7c7c34', wood: '#b98550',
  brown: '#6c4428', charcoal: '#33302e', slate: '#4a5258', black: '#1c1b1c',
}).map(([name, c]) => [name, hex(c)]));

/** How each brand sets its table. */
export const BRANDS = {
  sushi: { ground: '#e2e5e8', weave: 0, plate: '#34393d', bowl: '#262b30', ceramic: '#f4f1ea', board: '#c39561', stone: true },
  shawarma: { ground: '#2e2b29', weave: 0, plate: '#57504a', bowl: '#c8852e', ceramic: '#e9dfcd', board: '#8a5a32', stone: false },
  pizza: { ground: '#f6edda', weave: 1, plate: '#fbf6ea', bowl: '#c2452c', ceramic: '#fbf4e4', board: '#a46a34', stone: false },
};

/** An empty table of w×h units in the brand's or a named colour. */
export function tableOf(style, { w = 1000, h = 1000, k = 1, colour }) {
  const scene = new Scene(w, h, k);
  const c = colour ?? hex(style.ground);
  const weave = style.weave;
  scene.put({ x: w / 2, y: h / 2, rx: w / 2 + 2, ry: h / 2 + 2, base: 0, over: true, bare: true }, (u, v, o, x, y) => {
    o.a = 1;
    const n = fractal(x / 190, y / 190, 5) - 0.5, f = noise(x / 5, y / 5, 9) - 0.5;
    const thread = weave ? (Math.sin(x * 0.9) * Math.sin(y * 0.9)) * 0.05 + (noise(x / 3, y / 40, 4) + noise(x / 40, y / 3, 6) - 1) * 0.09 : 0;
    tint(o, c, 1 + n * 0.22 + f * 0.05 + thread);
    o.z = f * (weave ? 0.5 : 0.8) + thread * 6;
    if (style.weave) o.z += Math.max(0, Math.sin((x * 0.7 + y * 0.5) / 170 + n * 4) - 0.55) * 22;
  });
  return scene;
}

/** Turned wood: grain along u. */
export function wood(c, seed = 0) {
  const a = hex(c), b = mix(a, [0.05, 0.02, 0.01], 0.5);
  return (u, v, o) => {
    const warp = fractal(u / 420, v / 60, seed) * 5;
    const ring = 0.5 + 0.5 * Math.sin(v / 11 + warp * 5);
    const fine = noise(u / 90, v / 2.2, seed + 3);
    tint(o, mix(a, b, clamp(ring * 0.3 + fine * 0.34 - 0.1)));
    o.gloss = 0.18; o.soft = 0.2;
    o.z += (fine - 0.5) * 1.1;
  };
}

/** A round board; `handle` adds a peel's handle towards the lower right. */
export function roundBoard(scene, x, y, r, c, { handle = false, t = 22, seed = 1 } = {}) {
  const look = wood(c, seed), turn = 0.75;
  const paint = (inside) => (u, v, o) => {
    const d = inside(u, v);
    if (d <= -0.5) return;
    o.a = clamp(d * scene.k + 0.5);
    o.z = rounded(d, 10, t);
    look(u, v, o);
  };
  const rx = handle ? r * 1.75 : r + 2;
  scene.put({ x, y, rx, ry: r + 2, turn, base: 0 }, paint((u, v) => {
    const disk = r - Math.hypot(u, v);
    if (!handle) return disk;
    const neck = Math.min(52 + Math.max(0, (r * 1.12 - u) * 0.9) - Math.abs(v), r * 1.6 - u, u);
    return Math.max(disk, neck);
  }));
}

/** A rectangular slab with rounded corners: slate, stone, wooden board. */
export function slab(scene, x, y, w, h, { c = '#34393d', t = 20, corner = 26, turn = 0, grain = false, rough = 3, seed = 2 }) {
  const a = hex(c), look = wood(c, seed);
  scene.put({ x, y, rx: w / 2 + rough, ry: h / 2 + rough, turn, base: 0 }, (u, v, o) => {
    const qx = Math.abs(u) - w / 2 + corner, qy = Math.abs(v) - h / 2 + corner;
    const d = corner - Math.hypot(Math.max(qx, 0), Math.max(qy, 0)) - Math.min(Math.max(qx, qy), 0) + (noise(u / 22, v / 22, seed) - 0.5) * rough * 2;
    if (d <= -0.5) return;
    o.a = clamp(d * scene.k + 0.5);
    o.z = rounded(d, 8, t);
    if (grain) look(u, v, o);
    else {
      const n = fractal(u / 60, v / 24, seed), f = noise(u / 7, v / 4, seed + 5);
      tint(o, a, 0.84 + n * 0.32 + (f - 0.5) * 0.04);
      o.z += (n - 0.5) * 4.2 + (f - 0.5) * 0.4;
      o.gloss = 0.22;
    }
  });
  return t;
}

/** A round plate with a raised rim. Returns the height of its middle. */
export function plate(scene, x, y, r, c, { rim = 0.16, depth = 26, line } = {}) {
  const a = hex(c), edge = line && hex(line);
  scene.put({ x, y, rx: r + 2, base: 0 }, (u, v, o) => {
    const q = Math.hypot(u, v), d = r - q;
    if (d <= -0.5) return;
    o.a = clamp(d * scene.k + 0.5);
    const up = smooth(r * (1 - rim * 1.5), r * (1 - rim * 0.6), q);
    o.z = Math.min(10 + depth * up, rounded(d, 12, 10 + depth) + 0.01);
    const n = fractal(u / 40, v / 40, 3);
    tint(o, a, 0.96 + n * 0.08);
    if (edge && d < 12 && d > 4) tint(o, edge);
    o.gloss = 0.62; o.soft = 0.4;
  });
  return 10;
}

/** A bowl: a wall of height `tall`, the inside filled up to the returned level. */
export function bowl(scene, x, y, r, c, { tall = 120, wallWidth = 17, inner, fill = 0.68 } = {}) {
  const a = hex(c), b = inner ? hex(inner) : a;
  scene.put({ x, y, rx: r + 2, base: 0 }, (u, v, o) => {
    const q = Math.hypot(u, v), d = r - q;
    if (d <= -0.5) return;
    o.a = clamp(d * scene.k + 0.5);
    const inside = Math.max(0, q < r - wallWidth ? (r - wallWidth - q) / (r - wallWidth) : 0);
    o.z = inside > 0 ? tall * (1 - Math.min(1, Math.sqrt(1 - (1 - inside) ** 6 * 0.999) * 1.05)) + 4 : tall - Math.max(0, Math.abs(d - wallWidth / 2) - 3) * 0.5;
    if (d < 9) o.z = Math.min(o.z, rounded(d, 9, tall));
    tint(o, inside > 0.01 ? b : a, 0.92 + fractal(u / 30, v / 30, 3) * 0.16);
    o.gloss = 0.7; o.soft = 0.3;
  });
  return tall * fill;
}

/** A crumpled sheet of paper. */
export function paper(scene, x, y, w, h, { c = '#c49a66', turn = -0.2, seed = 4, t = 3, pattern } = {}) {
  const a = hex(c), mark = pattern && hex(pattern);
  scene.put({ x, y, rx: w / 2, ry: h / 2, turn, base: 0, follow: 1 }, (u, v, o) => {
    const wob = (noise(u / 60, v / 60, seed) - 0.5) * 16;
    const d = Math.min(w / 2 - 10 - Math.abs(u), h / 2 - 10 - Math.abs(v)) + wob;
    if (d <= -0.5) return;
    o.a = clamp(d * scene.k + 0.5);
    const fold = Math.abs(fractal(u / 150, v / 150, seed) - 0.5) * 46 + Math.abs(noise(u / 60 + v / 90, v / 70, seed + 4) - 0.5) * 14;
    o.z = t + fold * 0.55;
    tint(o, a, 0.94 + noise(u / 3, v / 3, seed) * 0.1);
    if (mark && (Math.floor((u + 2000) / 44) + Math.floor((v + 2000) / 44)) % 2) tint(o, mark, 0.96 + noise(u / 3, v / 3, seed) * 0.08);
    o.gloss = 0.08; o.soft = 0.3;
  });
}
