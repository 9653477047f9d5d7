// Sets: a wooden board with a row of every roll in it.
import { tableOf, slab } from './table.mjs';
import { rollPiece, finish, besides } from './rolls.mjs';
import { nigiriPiece, gunkanPiece } from './fish.mjs';

/** The whole picture of a set; `recipe.rolls` are recipes by now. */
export function board(recipe, { style, random, ground }) {
  const H = 1530, scene = tableOf(style, { h: H, colour: ground });
  const n = recipe.rolls.length, deep = 1080;
  const top = slab(scene, 500, H / 2, 920, deep, { c: style.board, corner: 40, t: 30, grain: true });
  const pitch = (deep - 110) / n, r = n <= 2 ? 92 : n === 3 ? 79 : Math.min(92, pitch / 2.3), single = Math.min(92, pitch / 2.3) / 96;
  recipe.rolls.forEach((one, row) => {
    const y = H / 2 - deep / 2 + 62 + pitch * (row + 0.5);
    if (one.form === 'nigiri' || one.form === 'gunkan') {
      const m = one.form === 'nigiri' ? 5 : 4, put = one.form === 'nigiri' ? nigiriPiece : gunkanPiece;
      for (let i = 0; i < m; i++) put(scene, one, 500 + (i - (m - 1) / 2) * (m === 5 ? 172 : 210), y, Math.min(single * 0.92, 0.86), one.form === 'nigiri' ? 1.25 : 0.25, random, top);
      return;
    }
    const each = 2.13 * r, per = Math.floor(856 / each), lanes = pitch > r * 3.9 ? 2 : 1;
    const spots = [];
    for (let lane = 0; lane < lanes; lane++) for (let i = 0; i < per; i++) {
      spots.push({ x: 500 + (i - (per - 1) / 2) * each + random.range(-2, 2), y: y + (lane - (lanes - 1) / 2) * r * 2.04 + random.range(-3, 3) });
    }
    for (const p of spots) rollPiece(scene, one, p.x, p.y, r, random, top);
    finish(scene, one, spots, r, random);
  });
  if (n > 3) besides(scene, 790, H / 2 + deep / 2 - 34, 0.6, random);
  return { scene, tilt: 42, lift: 40 };
}
