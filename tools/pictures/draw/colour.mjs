// Colours are kept in linear light while drawing; texts of colours are ordinary sRGB hex.

const toLinear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);

/** A linear [r,g,b] of an sRGB hex text such as '#fa8'. */
export function hex(text) {
  let t = text.replace('#', '');
  if (t.length === 3) t = [...t].map((c) => c + c).join('');
  return [0, 2, 4].map((i) => toLinear(parseInt(t.slice(i, i + 2), 16) / 255));
}

/** The colour `t` of the way from a to b. */
export const mix = (a, b, t) => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];

/** The colour made lighter or darker. */
export const times = (c, k) => [c[0] * k, c[1] * k, c[2] * k];

/** 0 below a, 1 above b, smooth between. */
export function smooth(a, b, x) {
  const t = Math.min(1, Math.max(0, (x - a) / (b - a)));
  return t * t * (3 - 2 * t);
}

/** x kept within a..b. */
export const clamp = (x, a = 0, b = 1) => (x < a ? a : x > b ? b : x);
