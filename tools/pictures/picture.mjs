// One picture from one recipe: a dish, several dishes together, a banner, or a ready 3D picture on a plate.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { randomOf, seedOf } from './draw/noise.mjs';
import { shade } from './draw/light.mjs';
import { view } from './draw/view.mjs';
import { hex, mix } from './draw/colour.mjs';
import { BRANDS, COLOURS, plate, tableOf } from './forms/table.mjs';
import { draw } from './forms/all.mjs';

/** Widths of a banner's prepared forms, pixels; its height is half of them. */
export const BANNER_WIDTHS = [480, 960, 1440];

const SIDE = 1000;
const cutouts = new Map();

const kitchen = (name, recipe, brand) => ({ style: BRANDS[brand], random: randomOf(seedOf(name) + (recipe.seed ?? 0) * 7919), ground: recipe.ground && COLOURS[recipe.ground] });

function rendered(name, recipe, brand) {
  const { scene, tilt, lift } = draw(recipe, kitchen(name, recipe, brand));
  return view(scene, shade(scene), { w: SIDE, h: SIDE, tilt, lift });
}

/** A dish without its table: picture with alpha, its shadow kept. */
async function cutout(name, recipe, brand) {
  const key = `${brand}/${name}`;
  if (!cutouts.has(key)) {
    const { rgb, alpha } = rendered(name, { ...recipe, ground: undefined }, brand);
    const data = new Uint8Array(SIDE * SIDE * 4);
    for (let i = 0; i < SIDE * SIDE; i++) {
      const solid = alpha[i] === 255;
      for (let c = 0; c < 3; c++) data[i * 4 + c] = solid ? rgb[i * 3 + c] : 18;
      data[i * 4 + 3] = alpha[i];
    }
    cutouts.set(key, await sharp(data, { raw: { width: SIDE, height: SIDE, channels: 4 } }).png({ compressionLevel: 1 }).toBuffer());
  }
  return cutouts.get(key);
}

/** An empty table as an image of w×h pixels. */
function table(style, w, h, colour) {
  const scene = tableOf(style, { w, h, colour });
  const { rgb } = view(scene, shade(scene), { w, h });
  return sharp(rgb, { raw: { width: w, height: h, channels: 3 } });
}

async function together(parts, brand, base, places) {
  const layers = [];
  for (const [i, part] of parts.entries()) {
    const [x, y, size] = places[i];
    const image = sharp(await cutout(part.name, part.recipe, brand)).resize(size, size);
    layers.push({ input: await clipped(image, size, x, y, base), left: Math.max(0, Math.round(x - size / 2)), top: Math.max(0, Math.round(y - size / 2)) });
  }
  return sharp(await base.image.png({ compressionLevel: 1 }).toBuffer()).composite(layers);
}

/** Cuts off what would lie outside of the base, as composing allows no overhang. */
async function clipped(image, size, x, y, { w, h }) {
  const left = Math.max(0, Math.round(size / 2 - x)), top = Math.max(0, Math.round(size / 2 - y));
  const right = Math.min(size, Math.round(w - x + size / 2)), bottom = Math.min(size, Math.round(h - y + size / 2));
  return image.extract({ left, top, width: right - left, height: bottom - top }).png({ compressionLevel: 1 }).toBuffer();
}

const GROUPS = { 1: [[500, 500, 960]], 2: [[350, 360, 680], [650, 655, 680]], 3: [[320, 300, 600], [700, 400, 580], [430, 705, 600]] };
const BANNERS = { 1: [[1040, 350, 780]], 2: [[900, 300, 560], [1190, 440, 600]], 3: [[800, 280, 480], [1150, 250, 500], [1060, 530, 520]] };

async function fluent(recipe, brand) {
  const require = createRequire(import.meta.url);
  const assets = join(dirname(require.resolve('@lobehub/fluent-emoji-3d/package.json')), 'assets');
  const style = BRANDS[brand], c = COLOURS[recipe.plate ?? 'cream'];
  const scene = tableOf(style, { h: 1000, colour: recipe.ground ? COLOURS[recipe.ground] : undefined });
  plate(scene, 500, 500, 262, '#ffffff', { depth: 16, rim: 0.08 });
  for (let i = 0; i < scene.bare.length; i++) if (!scene.bare[i]) scene.rgb.set(mix(c, hex('#ffffff'), 0.08), i * 3);
  const { rgb } = view(scene, shade(scene), { w: SIDE, h: SIDE });
  const ground = await sharp(rgb, { raw: { width: SIDE, height: SIDE, channels: 3 } }).resize(768).png().toBuffer();
  const emoji = readFileSync(join(assets, `${recipe.emoji}.webp`));
  const { width, height } = await sharp(emoji).metadata();
  const shadow = await sharp(emoji).ensureAlpha().linear([0, 0, 0, 0.4], [0, 0, 0, 0]).extend({ top: 30, bottom: 30, left: 30, right: 30, background: '#0000' }).blur(11).png().toBuffer();
  const left = Math.round(384 - width / 2), top = Math.round(384 - height / 2);
  return sharp(ground).composite([{ input: shadow, left: left - 18, top: top - 12 }, { input: emoji, left, top }]);
}

/** The picture of a recipe, as an image at least as large as its master. */
export async function picture(name, recipe, brand) {
  const style = BRANDS[brand];
  if (recipe.form === 'fluent') return fluent(recipe, brand);
  if (recipe.form === 'group') {
    const base = { image: table(style, 1000, 1000, recipe.ground && COLOURS[recipe.ground]), w: 1000, h: 1000 };
    return together(recipe.parts, brand, base, GROUPS[Math.min(3, recipe.parts.length)]);
  }
  if (recipe.form === 'promo') {
    const base = { image: table({ ...style, weave: 0 }, 1440, 720, COLOURS[recipe.ground ?? 'cream']), w: 1440, h: 720 };
    return together(recipe.parts.slice(0, 3), brand, base, BANNERS[Math.min(3, recipe.parts.length)]);
  }
  const { rgb } = rendered(name, recipe, brand);
  return sharp(rgb, { raw: { width: SIDE, height: SIDE, channels: 3 } });
}
