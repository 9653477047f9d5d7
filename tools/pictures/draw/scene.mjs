// A scene is a relief seen from above: every point has a height, a colour, a gloss and a softness.
// Dishes are built by putting pieces onto it, like a cook does; light and view come later (light.mjs, view.mjs).
import { clamp } from './colour.mjs';

/** An empty relief of w×h units, `k` pixels a unit, filled with one colour. */
export class Scene {
  constructor(w, h, k = 1, colour = [0.8, 0.8, 0.8]) {
    this.w = w; this.h = h; this.k = k;
    this.pw = Math.round(w * k); this.ph = Math.round(h * k);
    const n = this.pw * this.ph;
    this.height = new Float32Array(n);
    this.rgb = new Float32Array(n * 3);
    this.gloss = new Float32Array(n);
    this.soft = new Float32Array(n);
    this.wall = new Uint16Array(n);
    this.walls = [null];
    /** When set, pieces appear only where clip(x, y) says yes: what is inside of a box stays inside. */
    this.clip = null;
    this.bare = new Uint8Array(n).fill(1);
    for (let i = 0; i < n; i++) this.rgb.set(colour, i * 3);
  }

  /** Registers a drawing of steep sides; `paint(x, y, z, out)` gets units and sets out.r,g,b. Returns its id. */
  addWall(paint) {
    this.walls.push(paint);
    return this.walls.length - 1;
  }

  /** Height at a point in units; 0 outside. */
  heightAt(x, y) {
    const px = Math.round(x * this.k), py = Math.round(y * this.k);
    if (px < 0 || py < 0 || px >= this.pw || py >= this.ph) return 0;
    return this.height[py * this.pw + px];
  }

  /** The height on which a piece of radius r would rest. */
  support(x, y, r) {
    let sum = 0, top = 0;
    for (let i = 0; i < 8; i++) {
      const a = i * 0.785, q = r * (i % 2 ? 0.7 : 0.4);
      const h = this.heightAt(x + Math.cos(a) * q, y + Math.sin(a) * q);
      sum += h; if (h > top) top = h;
    }
    return sum / 8 * 0.88 + top * 0.12;
  }

  /**
   * Puts a piece: visits the pixels of a turned box and asks `paint(u, v, o, x, y)` for coverage `o.a`, height above
   * the base `o.z`, colour, gloss and softness.
   * base: a height, or undefined to rest on what is below; follow: 0 stiff … 1 lies along the relief;
   * over: keep even where the relief is higher (paint and sauces);
   * bare: the table itself, left out when the dish is cut out for a banner;
   * ground: heights to follow instead of the present ones, so that many strands do not tower up.
   */
  put({ x, y, rx, ry = rx, turn = 0, base, follow = 0, over = false, wall = 0, ground, bare = false }, paint) {
    const { pw, ph, k } = this;
    const c = Math.cos(turn), s = Math.sin(turn);
    const ex = Math.abs(c) * rx + Math.abs(s) * ry, ey = Math.abs(s) * rx + Math.abs(c) * ry;
    const x0 = Math.max(0, Math.floor((x - ex) * k)), x1 = Math.min(pw - 1, Math.ceil((x + ex) * k));
    const y0 = Math.max(0, Math.floor((y - ey) * k)), y1 = Math.min(ph - 1, Math.ceil((y + ey) * k));
    const rest = base ?? this.support(x, y, Math.min(rx, ry));
    const o = { a: 0, z: 0, r: 0, g: 0, b: 0, gloss: 0, soft: 0 };
    for (let py = y0; py <= y1; py++) {
      for (let px = x0; px <= x1; px++) {
        const ux = px / k, uy = py / k;
        const dx = ux - x, dy = uy - y;
        const u = dx * c + dy * s, v = dy * c - dx * s;
        if (u < -rx || u > rx || v < -ry || v > ry || (this.clip && !this.clip(ux, uy))) continue;
        o.a = 0; o.z = 0; o.gloss = 0; o.soft = 0;
        paint(u, v, o, ux, uy);
        if (o.a <= 0.003) continue;
        const i = py * pw + px;
        const old = this.height[i];
        const z = (follow ? rest + ((ground ? ground[i] : old) - rest) * follow : rest) + o.z;
        let a = o.a > 1 ? 1 : o.a;
        if (!over) {
          if (z < old - 1.2) continue;
          a *= clamp((z - old + 1.2) / 1.2);
        }
        this.height[i] = old + (z - old) * a;
        const j = i * 3;
        this.rgb[j] += (o.r - this.rgb[j]) * a;
        this.rgb[j + 1] += (o.g - this.rgb[j + 1]) * a;
        this.rgb[j + 2] += (o.b - this.rgb[j + 2]) * a;
        this.gloss[i] += (o.gloss - this.gloss[i]) * a;
        this.soft[i] += (o.soft - this.soft[i]) * a;
        if (a > 0.4 && !bare) this.bare[i] = 0;
        if (a > (wall ? 0.02 : 0.5)) this.wall[i] = wall;
      }
    }
  }
}

/** Sets the colour of a paint answer. */
export function tint(o, c, k = 1) {
  o.r = c[0] * k; o.g = c[1] * k; o.b = c[2] * k;
}

/** Height of a rounded edge: `inside` units from the edge, rounding e, thickness t. */
export function rounded(inside, e, t) {
  if (inside <= 0) return 0;
  if (inside >= e) return t;
  const q = 1 - inside / e;
  return t * Math.sqrt(1 - q * q);
}
