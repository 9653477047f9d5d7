import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** A street of the made city, whose houses have the numbers from 1 to `houses`. */
export interface MadeStreet {
  cyrillic: string;
  latin: string;
  houses: number;
}

const maker = resolve(import.meta.dirname, '..', process.env.CITY_BIN ?? '../bin/city');
/** 250,000 addresses, within the bbox of the demo's Moscow. */
const [streets, houses] = [6250, 40];
const box = '55.56,37.36,55.91,37.84';
/** In the zone of the demo's shop that works around the clock. */
const near = '55.8,37.6';

/**
 * Writes the register of a made city into the content of Moscow, from an extract as OpenStreetMap has it, by
 * the program's own command. Returns a street that is delivered to.
 */
export async function addAddresses(program: string, content: string): Promise<MadeStreet> {
  if (!existsSync(maker)) throw new Error(`${maker} is missing: run "make doubles" first, or set CITY_BIN`);
  const extract = join(content, 'moscow.osm.pbf');
  const size = ['-streets', String(streets), '-houses', String(houses)];
  const { stdout } = await promisify(execFile)(maker, [...size, '-box', box, '-near', near, extract]);
  const written = await promisify(execFile)(program, ['addresses', extract, content, 'moscow']);
  if (!written.stdout.includes(`${streets * houses} houses`)) throw new Error(`the register lacks addresses: ${written.stdout}`);
  await rm(extract);
  const { cyrillic, latin } = JSON.parse(stdout) as Pick<MadeStreet, 'cyrillic' | 'latin'>;
  return { cyrillic, latin, houses };
}
