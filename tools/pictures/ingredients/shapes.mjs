// Shapes: how one piece of an ingredient lies on the dish. Every maker returns `piece(scene, at, size, random)`,
// where `at` is {x, y, turn, base?, follow?} in units and size 1 suits a large pizza.
import { rounded, tint } from '../draw/scene.mjs';
import { noise, fractal } from '../draw/noise.mjs';
import { hex, mix, smooth, clamp } from '../draw/colour.mjs';

const seedFrom = (random) => Math.floor(random.next() * 1e6);

/** A block with uneven rounded corners: cubes, pieces of meat, slices. */
export function block(look, { w, h = w, t = 14, round = 0.35, rough = 0.1, edge, rim, follow = 0 }) {
  const rimColour = rim && hex(rim);
  return (scene, at, size, random) => {
    const seed = seedFrom(random);
    const hw = (random.around(w, 0.16) * size) / 2, hh = (random.around(h, 0.16) * size) / 2;
    const r = Math.min(hw, hh) * round, e = edge ? edge * size : Math.min(hw, hh) * 0.4, tt = t * size;
    const skew = random.range(-0.12, 0.12), tip = random.range(-0.12, 0.12) * tt / hw;
    scene.put({ ...at, follow: at.follow ?? follow, rx: hw * 1.25, ry: hh * 1.25 }, (u, v, o) => {
      const wob = (noise(u / (hw * 0.55) + 9, v / (hh * 0.55) + 9, seed) - 0.5) * 2 * rough * Math.min(hw, hh) * 1.6;
      const qx = Math.abs(u + v * skew) - hw + r, qy = Math.abs(v) - hh + r;
      const d = r - Math.hypot(Math.max(qx, 0), Math.max(qy, 0)) - Math.min(Math.max(qx, qy), 0) + wob;
      if (d <= -0.5) return;
      o.a = clamp(d * scene.k + 0.5);
      o.z = rounded(d, e, tt) + u * tip;
      look(u / size, v / size, o, seed);
      if (rimColour && d < e * 0.7) { const q = smooth(e * 0.7, e * 0.25, d); tint(o, mix([o.r, o.g, o.b], rimColour, q)); }
    });
  };
}

/** A bent strip of round or flat section. Ends taper by `taper`. */
export function strip(look, { l, w, t = w * 0.5, bend = 0.5, taper = 0.15, rough = 0.16, rim, flat = false, follow = 0.3, vary = 0.25 }) {
  const rimColour = rim && hex(rim);
  return (scene, at, size, random) => {
    const seed = seedFrom(random);
    const hl = (random.around(l, vary) * size) / 2, hw = (random.around(w, 0.15) * size) / 2, tt = t * size;
    const k = (random.range(-1, 1) * bend) / hl, s = random.range(-1, 1) * bend * 0.3;
    scene.put({ ...at, follow: at.follow ?? follow, rx: hl * 1.05, ry: hw * 1.3 + Math.abs(k) * hl * hl * 0.6 + Math.abs(s) * hl * 0.5 }, (u, v, o) => {
      const q = u / hl;
      const c = k * (u * u - hl * hl * 0.4) * 0.6 + s * hl * 0.4 * Math.sin(q * 4);
      const width = hw * (1 - taper * q * q) * (1 - rough / 2 + rough * noise(u / hw * 1.1, v > c ? 3 : 9, seed));
      const end = hl - Math.abs(u);
      let side = width - Math.abs(v - c) * (1 - Math.min(0.45, Math.abs(k * u) * 0.5));
      const d = Math.min(side, end < width ? width - Math.hypot(width - end, Math.min(width, Math.abs(v - c))) : side);
      if (d <= -0.5) return;
      o.a = clamp(d * scene.k + 0.5);
      o.z = flat ? rounded(d, Math.min(width, tt), tt) : rounded(d, width, tt);
      look(u / size, (v - c) / size, o, seed);
      if (rimColour && d < width * 0.45) tint(o, mix([o.r, o.g, o.b], rimColour, smooth(width * 0.45, width * 0.1, d)));
    });
  };
}

/** A round slice; `face(rr, angle, u, v, o, seed)` paints it, rr = 0 middle … 1 edge. hole: ring's inner radius part. */
export function slice(face, { r, t = 7, edge = 4, hole = 0, oval = 0.08, cup = 0, gloss = 0.4, soft = 0.4, follow = 0.55, part = 1 }) {
  return (scene, at, size, random) => {
    const seed = seedFrom(random);
    const rr = random.around(r, 0.1) * size, tt = t * size, e = edge * size, f = 1 - random.next() * oval;
    scene.put({ ...at, follow: at.follow ?? follow, rx: rr * 1.06, ry: rr * 1.06 }, (u, v, o) => {
      const a = Math.atan2(v / f, u);
      const q = Math.hypot(u, v / f) / (1 + (noise(Math.cos(a) * 1.7 + 5, Math.sin(a) * 1.7 + 5, seed) - 0.5) * 0.08);
      let d = Math.min(rr - q, hole ? q - rr * hole : 1e3);
      if (part < 1) d = Math.min(d, v + rr * (2 * part - 1));
      if (d <= -0.5) return;
      o.a = clamp(d * scene.k + 0.5);
      o.z = rounded(d, hole ? rr * (1 - hole) * 0.5 : e, tt) + cup * size * smooth(0.5, 1, q / rr);
      o.gloss = gloss; o.soft = soft;
      face(q / rr, a, u / size, v / size, o, seed);
    });
  };
}

/** A ball or drop, `squash` flattens it. */
export function ball(look, { r, squash = 0.9, oval = 0.1, rough = 0, vary = 0.1 }) {
  return (scene, at, size, random) => {
    const seed = seedFrom(random);
    const rr = random.around(r, vary) * size, f = 1 - random.next() * oval;
    scene.put({ ...at, rx: rr * (1 + rough), ry: rr * (1 + rough) }, (u, v, o) => {
      const n = rough ? (noise(u / rr * 2 + 7, v / rr * 2 + 7, seed) - 0.5) * rough * 2 : 0;
      const q = Math.hypot(u, v / f) / rr - n;
      const d = (1 - q) * rr;
      if (d <= -0.5) return;
      o.a = clamp(d * scene.k + 0.5);
      o.z = rr * squash * (Math.sqrt(Math.max(0, 1 - q * q)) * 1.2 + 0.1);
      look(u / size, v / size, o, seed);
    });
  };
}

/** A leaf with a middle vein; `teeth` waves its edge, `curl` lifts it. */
export function leaf(c1, c2, { l, w, teeth = 0, n = 5, curl = 10, gloss = 0.25, vein = 0.5, point = 1, stem }) {
  const dark = hex(c1), pale = hex(c2), stalk = stem && hex(stem);
  return (scene, at, size, random) => {
    const seed = seedFrom(random);
    const hl = (random.around(l, 0.18) * size) / 2, hw = (random.around(w, 0.18) * size) / 2;
    const bow = random.range(-0.25, 0.25), lift = random.range(0.5, 1.3) * curl * size;
    scene.put({ ...at, follow: at.follow ?? 0.4, rx: hl * 1.05, ry: hw * 1.5 }, (u, v, o) => {
      const q = clamp((u + hl) / (2 * hl));
      const c = bow * hw * Math.sin(q * 3.14);
      const shape = Math.pow(Math.max(0, Math.sin(Math.pow(q, 0.8) * 3.1416)), point > 1 ? 1 : 0.7);
      const wave = teeth ? 1 - teeth * Math.abs(Math.sin(q * n * 3.14159)) : 1;
      const width = hw * shape * wave;
      const y = v - c;
      const d = width - Math.abs(y);
      if (d <= -0.5 || u < -hl || u > hl) return;
      o.a = clamp(d * scene.k + 0.5);
      const side = Math.abs(y) / Math.max(1, hw);
      const rib = smooth(0.09, 0.0, side) + 0.5 * smooth(0.82, 1, Math.sin((q * 9 - side * 2.4) * 6.28)) * smooth(0.95, 0.3, side);
      const m = fractal(u / 14, v / 14, seed);
      tint(o, stalk && side < 0.14 ? stalk : mix(dark, pale, clamp(rib * vein + (m - 0.4) * 0.7)));
      o.z = 2 * size + lift * (0.35 + 0.65 * side * side) * Math.sin(q * 3.14) + (m - 0.5) * 5 * size - rib * 1.4 * size + Math.sin(q * n * 6.3) * teeth * lift * side;
      o.gloss = gloss; o.soft = 0.25;
    });
  };
}

/** A shrimp: a tapered bent body in bands, with a tail. */
export function prawn(look, tail, { r = 34, body = 19, tailed = true }) {
  const tailColour = hex(tail);
  return (scene, at, size, random) => {
    const seed = seedFrom(random);
    const rr = r * size, bw = body * size, arc = random.range(3.6, 4.4), flip = random.chance(0.5) ? -1 : 1;
    scene.put({ ...at, follow: 0.2, rx: rr + bw * 1.6, ry: rr + bw * 1.6 }, (u, v0, o) => {
      const v = v0 * flip;
      let a = Math.atan2(v, u); if (a < 0) a += 6.2832;
      const q = a / arc;
      const dist = Math.hypot(u, v) - rr * (1 - 0.12 * q);
      const isTail = q > 0.86;
      if (q > 1.04 || (isTail && !tailed)) return;
      const width = isTail ? bw * (0.38 + Math.max(0, q - 0.9) * 4.5) : bw * (1.02 - 0.58 * q) * (q < 0.06 ? Math.sqrt(q / 0.06) : 1);
      const d = width - Math.abs(dist);
      if (d <= -0.5) return;
      const seg = q * 6.5, f = seg - Math.floor(seg);
      o.a = clamp(d * scene.k + 0.5);
      o.z = rounded(d, width, isTail ? bw * 0.35 : width * 1.15) - (isTail ? 0 : smooth(0.82, 1, f) * 2.6 * size);
      look(a * 30, dist / size, o, seed);
      if (isTail) tint(o, tailColour);
      o.gloss = 0.55; o.soft = 0.5;
    });
  };
}

/** Several thin strips at once: shredded cabbage, grated cheese, sprouts. */
export function shreds(one, { n, spread, size: own = 1 }) {
  return (scene, at, size, random) => {
    const count = Math.round(random.around(n, 0.2));
    for (let i = 0; i < count; i++) {
      const a = random.angle(), q = Math.sqrt(random.next()) * spread * size;
      one(scene, { ...at, x: at.x + Math.cos(a) * q, y: at.y + Math.sin(a) * q, turn: random.angle(), base: at.base }, size * own, random);
    }
  };
}
