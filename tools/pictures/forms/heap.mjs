// Heaps: a mound of pieces, used for everything served loosely.
import { INGREDIENTS } from '../ingredients/table.mjs';
import { noise } from '../draw/noise.mjs';
import { clamp } from '../draw/colour.mjs';
import { disk, lay } from './place.mjs';

/** How many pieces cover a disk of radius r at size 1. */
export function enough(name, r, size) {
  const it = INGREDIENTS[name];
  const own = it.noodle ? 24 : it.shred || it.heap || it.base ? 30 : it.small ? 17 : it.long ? 90 : it.wide ? 74 : it.leafy ? 42 : 34;
  return Math.max(3, Math.round(((r * r) / (own * own * size * size)) * 1.15));
}

/** A soft hill under a heap, so that the pieces rise to the middle. */
export function hill(scene, x, y, r, tall, look, { base, seed = 1, ry = r, turn = 0 } = {}) {
  scene.put({ x, y, rx: r, ry, turn, base }, (u, v, o) => {
    const q = Math.hypot(u / r, v / ry);
    if (q >= 1) return;
    o.a = clamp((1 - q) * Math.min(r, ry) + 0.5);
    look(u, v, o, seed);
    const n = noise(u / 26, v / 26, seed);
    o.z = o.z + tall * Math.sqrt(1 - q * q) * (0.85 + 0.3 * n);
    const k = 0.75 + 0.3 * n; o.r *= k; o.g *= k; o.b *= k;
  });
}

/** A mound of one ingredient. */
export function heap(scene, name, x, y, r, size, random, { tall = r * 0.35, much = 1, base } = {}) {
  const it = INGREDIENTS[name];
  hill(scene, x, y, r * 0.9, tall, it.look, { base, seed: Math.floor(random.next() * 999) });
  const n = enough(name, r, size) * much;
  const ground = it.base ? scene.height.slice() : undefined;
  const lie = () => (ground ? { ground, follow: 1, base: 0 } : {});
  lay(scene, name, n * (ground ? 1.6 : 1), disk(x, y, r * 0.92), size, random, [], lie());
  lay(scene, name, n * (ground ? 0.8 : 0.45), disk(x, y, r * 0.5), size, random, [], lie());
}

/** Several ingredients mixed through one another over a disk. */
export function mixture(scene, names, x, y, r, size, random, { much = 1 } = {}) {
  const all = [];
  const ranked = [...names].sort((a, b) => (INGREDIENTS[b].leafy && !INGREDIENTS[b].small ? 1 : 0) - (INGREDIENTS[a].leafy && !INGREDIENTS[a].small ? 1 : 0));
  const share = 1 / Math.max(1.6, names.length * 0.62);
  for (const name of ranked) {
    const it = INGREDIENTS[name];
    const cap = it.wide ? 1 : it.long ? 3 : it.meat ? 14 : it.coat || it.small ? 18 : 13;
    const n = Math.min(cap * much, Math.max(2, enough(name, r, size) * share * much));
    if (it.leafy && !it.small && n > 3) lay(scene, name, n, disk(x, y, r), size, random, []);
    else all.push([name, n]);
  }
  const taken = [];
  for (let round = 0; round < 2; round++) for (const [name, n] of random.shuffle(all)) lay(scene, name, n / 2, disk(x, y, r * (round ? 0.8 : 0.95)), size, random, taken);
}

/** Noodles tangled over a disk. */
export function tangle(scene, name, x, y, r, random, { rise = r * 0.3, base, size = 1 } = {}) {
  const it = INGREDIENTS[name];
  if (!it.noodle) { heap(scene, name, x, y, r, size, random, { tall: rise, base, much: 1.2 }); return; }
  hill(scene, x, y, r * 0.97, rise, (u, v, o, s) => { it.look(u, v, o, s); o.r *= 0.6; o.g *= 0.55; o.b *= 0.5; }, { base });
  const n = Math.round(Math.min(230, (r * r) / (it.noodle * 27)));
  const bed = scene.height.slice();
  for (let i = 0; i < n; i++) {
    const a = random.angle(), part = Math.sqrt(random.next()), q = part * r * 0.76, lift = random.range(-0.2, 1.1) * it.noodle * size;
    const ground = raised(bed, lift);
    it.piece(scene, { x: x + Math.cos(a) * q, y: y + Math.sin(a) * q, turn: a + Math.PI / 2 + random.range(-1, 1) * (1.1 - 0.85 * part), follow: 1, base: 0, ground }, size * Math.min(1.15, r / 230) * (1.05 - 0.3 * part), random);
  }
}

/** Heights raised by a constant, without copying them. */
function raised(heights, by) {
  return new Proxy(heights, { get: (target, i) => target[i] + by });
}

/** Darkens and wets what lies in a disk, as a sauce does that coats everything. */
export function glaze(scene, colour, x, y, r, amount = 0.3) {
  const { k, pw, ph } = scene;
  for (let py = Math.max(0, Math.floor((y - r) * k)); py < Math.min(ph, (y + r) * k); py++) {
    for (let px = Math.max(0, Math.floor((x - r) * k)); px < Math.min(pw, (x + r) * k); px++) {
      const ux = px / k - x, uy = py / k - y;
      if (ux * ux + uy * uy > r * r) continue;
      const i = py * pw + px, j = i * 3;
      const t = amount * (0.5 + noise(px / 30, py / 30, 4));
      for (let q = 0; q < 3; q++) scene.rgb[j + q] *= 1 - t + t * (colour[q] * 1.2 + 0.2);
      scene.gloss[i] = Math.min(0.85, scene.gloss[i] + amount * 0.6);
    }
  }
}
