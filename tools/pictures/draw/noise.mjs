// Seeded randomness and noise: the same name always makes the same picture.

/** A 32-bit seed of a text (FNV-1a). */
export function seedOf(text) {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return h >>> 0;
}

/** A random source (mulberry32): `next()` in [0,1), with helpers for ranges, choices and shuffles. */
export function randomOf(seed) {
  let s = seed >>> 0;
  const next = () => {
    s = (s + 0x6d2b79f5) >>> 0;
    let t = Math.imul(s ^ (s >>> 15), 1 | s);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    range: (a, b) => a + (b - a) * next(),
    around: (c, part) => c * (1 + part * (2 * next() - 1)),
    pick: (list) => list[Math.floor(next() * list.length)],
    chance: (p) => next() < p,
    angle: () => next() * Math.PI * 2,
    shuffle(list) {
      const out = [...list];
      for (let i = out.length - 1; i > 0; i--) {
        const j = Math.floor(next() * (i + 1));
        [out[i], out[j]] = [out[j], out[i]];
      }
      return out;
    },
  };
}

function hash(x, y, seed) {
  let h = Math.imul(x, 374761393) ^ Math.imul(y, 668265263) ^ Math.imul(seed, 2246822519);
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

/** Smooth value noise in [0,1] with features of about one unit. */
export function noise(x, y, seed = 0) {
  const xi = Math.floor(x), yi = Math.floor(y);
  const fx = x - xi, fy = y - yi;
  const u = fx * fx * (3 - 2 * fx), v = fy * fy * (3 - 2 * fy);
  const a = hash(xi, yi, seed), b = hash(xi + 1, yi, seed);
  const c = hash(xi, yi + 1, seed), d = hash(xi + 1, yi + 1, seed);
  return a + (b - a) * u + (c - a + (a - b - c + d) * u) * v;
}

/** Three octaves of noise in [0,1]. */
export function fractal(x, y, seed = 0) {
  return (noise(x, y, seed) * 4 + noise(x * 2.03, y * 2.03, seed + 1) * 2 + noise(x * 4.1, y * 4.1, seed + 2)) / 7;
}

/** Cellular noise: distance to the nearest of scattered points (0 at a point, about 1 between them). */
export function cells(x, y, seed = 0) {
  const xi = Math.floor(x), yi = Math.floor(y);
  let best = 9;
  for (let j = -1; j <= 1; j++) {
    for (let i = -1; i <= 1; i++) {
      const dx = xi + i + 0.15 + 0.7 * hash(xi + i, yi + j, seed) - x;
      const dy = yi + j + 0.15 + 0.7 * hash(xi + i, yi + j, seed + 7) - y;
      const d = dx * dx + dy * dy;
      if (d < best) best = d;
    }
  }
  return Math.sqrt(best);
}
