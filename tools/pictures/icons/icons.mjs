// Makes each brand's home-screen icons from its icon.svg: node tools/pictures/icons/icons.mjs
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

const content = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'content', 'demo');

/** Ground behind a maskable icon, which must fill the whole square. */
const GROUNDS = { sushi: '#fffdf8', shawarma: '#211d1a', pizza: '#fbf1dc' };

for (const [brand, ground] of Object.entries(GROUNDS)) {
  const svg = readFileSync(join(content, brand, 'icon.svg'));
  const folder = join(content, brand, 'icons');
  mkdirSync(folder, { recursive: true });
  const drawn = (side) => sharp(svg, { density: 1200 }).resize(side, side).png({ palette: true, quality: 90 });
  await drawn(192).toFile(join(folder, 'icon-192.png'));
  await drawn(512).toFile(join(folder, 'icon-512.png'));
  // A mask may cut away all but the middle four fifths.
  const inner = await drawn(410).toBuffer();
  const square = sharp({ create: { width: 512, height: 512, channels: 3, background: ground } });
  await square.composite([{ input: inner }]).png({ palette: true, quality: 90 }).toFile(join(folder, 'icon-maskable-512.png'));
  await sharp(await drawn(180).toBuffer()).flatten({ background: ground }).png({ palette: true }).toFile(join(folder, 'apple-touch-icon.png'));
}
