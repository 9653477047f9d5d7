import { readFileSync } from 'node:fs';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/**
 * The content of a program: the demo as it is; with a shop that closes within the hour (`closing`); with a shawarma
 * brand without sign-in (`anonymous`); with script in every text of the sushi brand (`hostile`); with accounts of
 * analytics for the sushi brand (`measured`); or with the register of a large made city for Moscow (`addresses`).
 */
export type Content = 'demo' | 'closing' | 'anonymous' | 'hostile' | 'measured' | 'addresses';

/** A change of one of the demo's files. The pattern has to be found there. */
export interface ContentChange {
  file: string;
  pattern: RegExp;
  by: string;
}

/** The folder of the demo that is built into the program. */
const demo = resolve(import.meta.dirname, '../..', process.env.SERVERY_DEMO || 'content/demo');
/** The time zone of Moscow in the demo. */
export const timeZone = /^timezone: (.+)$/m.exec(readFileSync(join(demo, 'places/moscow.yaml'), 'utf8'))?.[1];
/** Milliseconds until the shop closes: long enough for a journey, and less than the last hour of work. */
const closesIn = 50 * 60_000;
const openSince = 2 * 3_600_000;
const dayLong = 24 * 3_600_000;

/** Copies the demo into a folder and changes a file there; throws when the pattern is not found. */
export async function copyDemo(folder: string, change: ContentChange): Promise<void> {
  await cp(demo, folder, { recursive: true });
  const file = join(folder, change.file);
  const text = await readFile(file, 'utf8');
  if (!change.pattern.test(text)) throw new Error(`${file} has no ${change.pattern}`);
  await writeFile(file, text.replace(change.pattern, change.by));
}

/** Texts that call `hit()` when a page treats them as markup or code. */
const scripts = [
  '<script>hit()</script>',
  '"><img src=x onerror=hit()>',
  '</script><script>hit()</script>',
  "'-hit()-'",
  'javascript:hit()',
  '<svg onload=hit()>',
  '</title><script>hit()</script>',
  '${hit()}{{hit()}}',
  ' onfocus=hit() autofocus x="',
  '<!--<script>hit()//-->',
];

/**
 * Copies the demo into a folder. There each text of the sushi brand becomes one of `scripts` with a number of
 * its own.
 */
async function copyHostile(folder: string): Promise<void> {
  await cp(demo, folder, { recursive: true });
  let count = 0;
  const spoil = (text: string) =>
    text.replace(/\b(ru|en|tr|uz|de|uk): ("(?:[^"\\]|\\.)*"|[^\d,}"\n][^,}"\n]*)/g, (_, language: string) => {
      count += 1;
      return `${language}: ${JSON.stringify(`${scripts[count % scripts.length]} №${count}`)}`;
    });
  const brand = join(folder, 'sushi');
  for (const name of await readdir(brand, { recursive: true })) {
    // The look has files by language, and no text.
    if (!name.endsWith('.yaml') || name === 'theme.yaml') continue;
    const file = join(brand, name);
    const lines = (await readFile(file, 'utf8')).split('\n');
    // Formatted texts have tags of their own, which the import reads.
    const spoiled = lines.map((line) => (/ {ru:/.test(line) && !line.includes('description:') ? spoil(line) : line));
    await writeFile(file, spoiled.join('\n'));
  }
}

/** Writes a content into a folder: a copy of the demo with its change. */
export async function copyContent(folder: string, content: Exclude<Content, 'demo'>): Promise<void> {
  if (content === 'hostile') await copyHostile(folder);
  else if (content === 'addresses') await cp(demo, folder, { recursive: true });
  else await copyDemo(folder, changesOf[content]());
}

/** The change of the demo for each content. */
const changesOf: Record<Exclude<Content, 'demo' | 'hostile' | 'addresses'>, () => ContentChange> = {
  closing: () => closingShop(),
  anonymous: () => ({
    file: 'shawarma/brand.yaml',
    pattern: /is_auth_enabled: true/,
    by: 'is_auth_enabled: false',
  }),
  measured: () => ({
    file: 'sushi/brand.yaml',
    pattern: /^icon: icon.svg$/m,
    by: '$&\nanalytics: {metrika: 12345, ga4: G-TEST1}',
  }),
};

/** Returns the change by which the Arbat shop of the sushi brand has a shift that ends within the hour. */
function closingShop(now = Date.now()): ContentChange {
  const start = inMoscow(now - openSince);
  const end = inMoscow(now + closesIn);
  // A time of the next day is written past 24 o'clock.
  const hour = Number(end.time.slice(0, 2)) + (end.date === start.date ? 0 : 24);
  const until = `${String(hour).padStart(2, '0')}${end.time.slice(2)}`;
  const dayBefore = inMoscow(now - openSince - dayLong).date;
  // The shop works around the clock, so that the next day would go on where the shift ends.
  const dayAfter = inMoscow(now - openSince + dayLong).date;
  return {
    file: 'sushi/shops.yaml',
    pattern: /(alias: arbat\n[^]*?\n {2}hours: {default: {.*?})}\n/,
    by: `$1, custom: {"${dayBefore}": [], "${start.date}": ["${start.time}-${until}"], "${dayAfter}": []}}\n`,
  };
}

/** The date and the time that a clock in Moscow shows. */
function inMoscow(moment: number): { date: string; time: string } {
  const shown = new Date(moment).toLocaleString('sv-SE', { timeZone });
  return { date: shown.slice(0, 10), time: shown.slice(11, 16) };
}
