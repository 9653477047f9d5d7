// One light from the upper left, a soft sky, shadows marched through the relief, and occlusion in the folds.
import { clamp } from './colour.mjs';

const LIGHT = normalised([-0.52, -0.62, 0.72]);
const HALF = normalised([LIGHT[0], LIGHT[1] + 0.25, LIGHT[2] + 1]);

function normalised(v) {
  const l = Math.hypot(...v);
  return v.map((c) => c / l);
}

/** Box blur twice (near enough to a Gaussian) of a field. */
export function blur(field, w, h, r) {
  let a = Float32Array.from(field), b = new Float32Array(field.length);
  for (let pass = 0; pass < 2; pass++) {
    for (let y = 0; y < h; y++) line(a, b, y * w, 1, w, r);
    for (let x = 0; x < w; x++) line(b, a, x, w, h, r);
  }
  return a;
}

function line(src, dst, start, step, n, r) {
  const first = src[start], last = src[start + (n - 1) * step], inv = 1 / (2 * r + 1);
  let sum = first * (r + 1);
  for (let i = 1; i <= r; i++) sum += i < n ? src[start + i * step] : last;
  for (let i = 0, at = start; i < n; i++, at += step) {
    dst[at] = sum * inv;
    sum += (i + r + 1 < n ? src[at + (r + 1) * step] : last) - (i - r >= 0 ? src[at - r * step] : first);
  }
}

/** Lit colours (linear, 3 floats a pixel) of a scene. `warm` tints the light. */
export function shade(scene, { key = 1.72, sky = 0.46, shadow = 0.8 } = {}) {
  const { pw, ph, k, height, rgb, gloss, soft } = scene;
  const out = new Float32Array(pw * ph * 3);
  const near = blur(height, pw, ph, Math.max(1, Math.round(3 * k)));
  const mid = blur(height, pw, ph, Math.max(2, Math.round(11 * k)));
  const far = blur(height, pw, ph, Math.max(3, Math.round(36 * k)));
  const lit = shadows(scene, shadow);
  for (let y = 0; y < ph; y++) {
    for (let x = 0; x < pw; x++) {
      const i = y * pw + x;
      const l = x ? i - 1 : i, r = x < pw - 1 ? i + 1 : i, u = y ? i - pw : i, d = y < ph - 1 ? i + pw : i;
      const s = soft[i];
      const gx = ((height[r] - height[l]) * (1 - s * 0.6) + (near[r] - near[l]) * s * 0.6) * 0.5 * k;
      const gy = ((height[d] - height[u]) * (1 - s * 0.6) + (near[d] - near[u]) * s * 0.6) * 0.5 * k;
      const inv = 1 / Math.sqrt(gx * gx + gy * gy + 1);
      const nx = -gx * inv, ny = -gy * inv, nz = inv;
      const raw = nx * LIGHT[0] + ny * LIGHT[1] + nz * LIGHT[2];
      const wrap = 0.12 + 0.3 * s;
      const diffuse = Math.max(0, (raw + wrap) / (1 + wrap));
      const fold = clamp(1 - Math.max(0, mid[i] - height[i]) * 0.028 * (1 - s * 0.3) - Math.max(0, far[i] - height[i]) * 0.009
        - Math.max(0, near[i] - height[i]) * 0.06 * (1 - s * 0.5), 0.22, 1);
      const sh = lit[i];
      const light = key * diffuse * sh * (0.55 + 0.45 * fold);
      const ambient = sky * (0.62 + 0.38 * nz) * fold;
      const j = i * 3;
      // Dim yellow turns olive in plain arithmetic; food glows from within, so its shade goes towards red instead.
      const dim = 1 - Math.min(1, (light + ambient) / 1.5), ripe = rgb[j] > rgb[j + 2] ? 1 - rgb[j + 2] / rgb[j] : 0;
      const glow = rgb[j] >= rgb[j + 1] * 0.96 ? dim * ripe : 0;
      // Folds keep some of the colour of their own walls, so shade goes warm, not grey.
      const warm = (1 - fold) * 0.35;
      out[j] = (1 + 0.1 * glow) * rgb[j] * (light * 1.08 + ambient * (1.02 + warm));
      out[j + 1] = (1 - 0.3 * glow) * rgb[j + 1] * (light * 0.985 + ambient * 0.98);
      out[j + 2] = (1 - 0.35 * glow) * rgb[j + 2] * (light * 0.9 + ambient * (1.0 - warm));
      const g = gloss[i];
      if (g > 0.01) {
        const nh = Math.max(0, nx * HALF[0] + ny * HALF[1] + nz * HALF[2]);
        const p = Math.pow(nh, 12 + 90 * g);
        const rim = Math.pow(1 - nz, 3) * 0.1 * g * fold;
        const shine = (p * (0.12 + 1.1 * g * g) * (0.25 + 0.75 * sh) + rim) * fold;
        out[j] += shine; out[j + 1] += shine; out[j + 2] += shine;
      }
    }
  }
  return out;
}

function shadows(scene, strength) {
  const { pw, ph, k, height } = scene;
  const out = new Float32Array(pw * ph);
  const len = Math.hypot(LIGHT[0], LIGHT[1]);
  const dx = LIGHT[0] / len, dy = LIGHT[1] / len, rise = LIGHT[2] / len;
  const steps = [];
  for (let t = 2.2, i = 0; i < 26; i++, t *= 1.19) steps.push([Math.round(dx * t * k), Math.round(dy * t * k), rise * t, t]);
  for (let y = 0; y < ph; y++) {
    for (let x = 0; x < pw; x++) {
      const i = y * pw + x;
      const h0 = height[i] + 0.6;
      let open = 1;
      for (let n = 0; n < steps.length; n++) {
        const st = steps[n];
        const qx = x + st[0], qy = y + st[1];
        if (qx < 0 || qy < 0 || qx >= pw || qy >= ph) break;
        const clear = (h0 + st[2] - height[qy * pw + qx]) / (st[3] * 0.5) + 0.5;
        if (clear < open) { open = clear; if (open <= 0) { open = 0; break; } }
      }
      out[i] = 1 - strength * (1 - open);
    }
  }
  return blur(out, pw, ph, Math.max(1, Math.round(1.5 * k)));
}
