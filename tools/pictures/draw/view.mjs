// From lit relief to pixels: a tilted view with visible sides, tone curve, and encoding to bytes.
import { clamp } from './colour.mjs';

/** Brightness of flat open ground under the light, to recognize its shadows. */
const OPEN = 1.64;

/**
 * The lit relief seen from `tilt` degrees off the vertical: sRGB bytes and an alpha that keeps the dish and its shadow
 * only. The scene's middle lands in the picture's middle, `lift` units lower.
 */
export function view(scene, lit, { w, h, tilt = 0, lift = 0 }) {
  const { pw, ph, k, height, wall, walls, bare, rgb } = scene;
  const cos = Math.cos((tilt * Math.PI) / 180), sin = Math.sin((tilt * Math.PI) / 180);
  const out = new Uint8ClampedArray(w * h * 3), alpha = new Uint8ClampedArray(w * h);
  const left = Math.round((pw - w) / 2);
  const o = { r: 0, g: 0, b: 0 };
  for (let x = 0; x < w; x++) {
    const sx = x + left;
    let filled = h;
    let before = null;
    for (let y = ph - 1; y >= 0 && filled > 0; y--) {
      const i = y * pw + sx, j3 = i * 3;
      const z = height[i];
      const sy = h / 2 + (y - ph / 2) * cos - z * k * sin + lift * k;
      const to = y === 0 ? 0 : Math.max(0, Math.ceil(sy));
      if (to >= filled) { before = { sy, z }; continue; }
      const steep = before !== null && z - before.z > 2.5 && filled - to > 2;
      const side = steep ? walls[wall[i]] : null;
      const dark = bare[i] ? 1 - (lit[j3] + lit[j3 + 1] + lit[j3 + 2]) / ((rgb[j3] + rgb[j3 + 1] + rgb[j3 + 2]) * OPEN) : 1;
      for (let q = to; q < filled; q++) {
        const p = q * w + x, j = p * 3;
        if (side) {
          const t = (before.sy - q) / Math.max(0.001, before.sy - sy);
          side(sx / k, y / k, before.z + (z - before.z) * clamp(t), o);
          toByte(out, j, o.r, o.g, o.b);
        } else {
          const dim = steep ? 0.82 : 1;
          toByte(out, j, lit[j3] * dim, lit[j3 + 1] * dim, lit[j3 + 2] * dim);
        }
        alpha[p] = bare[i] ? clamp((dark - 0.15) * 0.95) * 255 : 255;
      }
      filled = to;
      before = { sy, z };
    }
  }
  return { rgb: out, alpha };
}

const curve = (x) => { const e = x * 0.62; return clamp((e * (2.51 * e + 0.03)) / (e * (2.43 * e + 0.59) + 0.14)); };
const CURVE = Float32Array.from({ length: 8193 }, (_, i) => curve(i / 1024));
const GAMMA = Uint8Array.from({ length: 4097 }, (_, i) => { const t = i / 4096; return Math.round(255 * (t <= 0.0031308 ? t * 12.92 : 1.055 * t ** (1 / 2.4) - 0.055)); });
const curved = (x) => CURVE[x <= 0 ? 0 : x >= 8 ? 8192 : (x * 1024) | 0];

/** Tone curve: half by the brightest channel, so that oranges stay orange in full light, half by each channel. */
function toByte(out, j, r0, g0, b0) {
  const y = 0.25 * r0 + 0.65 * g0 + 0.1 * b0, sat = 1.08;
  const r = Math.max(0, y + (r0 - y) * sat), g = Math.max(0, y + (g0 - y) * sat), b = Math.max(0, y + (b0 - y) * sat);
  const top = Math.max(r, g, b, 1e-5), keep = curved(top) / top;
  out[j] = GAMMA[((r * keep * 0.62 + curved(r) * 0.38) * 4096) | 0];
  out[j + 1] = GAMMA[((g * keep * 0.62 + curved(g) * 0.38) * 4096) | 0];
  out[j + 2] = GAMMA[((b * keep * 0.62 + curved(b) * 0.38) * 4096) | 0];
}
