// Draws the demo's pictures: node tools/pictures/generate.mjs [--brand sushi] [--only name] [--form pizza,group] [--keep]
// With --keep nothing is drawn: the present files are taken as drawn by the present code (after a change that alters none).
// Pictures whose recipe and drawing code did not change since they were drawn are left alone (drawn.json remembers).
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { readRecipes } from './recipes.mjs';
import { BANNER_WIDTHS, picture } from './picture.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const content = join(here, '..', '..', 'content', 'demo');
const memory = join(here, 'drawn.json');
const WIDTHS = [192, 384, 768];
sharp.concurrency(1);

const option = (name) => { const i = process.argv.indexOf(`--${name}`); return i < 0 ? undefined : process.argv[i + 1]; };

function sourceHash() {
  const hash = createHash('sha256');
  for (const folder of ['.', 'draw', 'ingredients', 'forms']) {
    for (const file of readdirSync(join(here, folder)).filter((f) => f.endsWith('.mjs')).sort()) hash.update(readFileSync(join(here, folder, file)));
  }
  return hash.digest('hex');
}

/** Writes the master and its prepared forms; returns their bytes together. */
async function save(folder, name, image, widths) {
  let bytes = 0;
  const write = (file, data) => { bytes += data.length; writeFileSync(join(folder, file), data); };
  const full = await image.png({ compressionLevel: 1 }).toBuffer();
  write(`${name}.jpg`, await sharp(full).resize(widths.at(-1), null, { kernel: 'mitchell' }).jpeg({ quality: 63, mozjpeg: true }).toBuffer());
  for (const w of widths) {
    const small = await sharp(full).resize(w, null, { kernel: w > 700 ? 'mitchell' : 'lanczos3' }).png({ compressionLevel: 1 }).toBuffer();
    write(`${name}.${w}.avif`, await sharp(small).avif({ quality: w > 700 ? 37 : 45, effort: 2 }).toBuffer());
    write(`${name}.${w}.webp`, await sharp(small).webp({ quality: w > 700 ? 50 : 62, effort: 4 }).toBuffer());
  }
  return bytes;
}

function remember(entries) {
  const known = existsSync(memory) ? JSON.parse(readFileSync(memory, 'utf8')) : {};
  const all = { ...known, ...entries };
  const sorted = Object.fromEntries(Object.keys(all).sort().map((k) => [k, all[k]]));
  writeFileSync(`${memory}.new`, `${JSON.stringify(sorted, null, 1)}\n`);
  renameSync(`${memory}.new`, memory);
}

async function drawBrand(brand, only, code) {
  const recipes = readRecipes(join(content, brand, 'dishes.yaml'));
  const folder = join(content, brand, 'pictures');
  mkdirSync(folder, { recursive: true });
  const known = existsSync(memory) ? JSON.parse(readFileSync(memory, 'utf8')) : {};
  for (const [name, recipe] of Object.entries(recipes)) {
    if ((only && name !== only) || (forms && !forms.includes(recipe.form))) continue;
    const key = `${brand}/${name}`;
    const mark = createHash('sha256').update(code).update(JSON.stringify(recipe)).digest('hex').slice(0, 16);
    if (!only && known[key] === mark && existsSync(join(folder, `${name}.jpg`))) continue;
    if (process.argv.includes('--keep')) { remember({ [key]: mark }); continue; }
    const bytes = await save(folder, name, await picture(name, recipe, brand), recipe.form === 'promo' ? BANNER_WIDTHS : WIDTHS);
    remember({ [key]: mark });
    console.log(`${key} ${Math.round(bytes / 1024)} KB`);
  }
}

const code = sourceHash();
const forms = option('form')?.split(',');
const brands = option('brand') ? [option('brand')] : ['sushi', 'shawarma', 'pizza'];
try {
  for (const brand of brands) await drawBrand(brand, option('only'), code);
} catch (fault) {
  console.error(fault.message);
  process.exitCode = 1;
}
