// A contact sheet for looking: node tools/pictures/sheet.mjs <out.png> <side> <columns> <brand> [pattern]
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

const [out, side, columns, brand, pattern] = process.argv.slice(2);
const folder = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'content', 'demo', brand, 'pictures');
const files = readdirSync(folder).filter((f) => f.endsWith('.jpg') && (!pattern || new RegExp(pattern).test(f)));
const step = Number(side) + 6, cols = Math.min(files.length, Number(columns));
const layers = await Promise.all(files.map(async (f, i) => ({ input: await sharp(join(folder, f)).resize(Number(side), Number(side), { fit: 'contain', background: '#fff' }).png().toBuffer(), left: (i % cols) * step, top: Math.floor(i / cols) * step })));
await sharp({ create: { width: cols * step, height: Math.ceil(files.length / cols) * step, channels: 3, background: '#fff' } }).composite(layers).png().toFile(out);
console.log(files.map((f, i) => `${i + 1}:${f.replace('.jpg', '')}`).join(' '));
