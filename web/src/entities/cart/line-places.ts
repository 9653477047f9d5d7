import { readStored, writeStored } from '@/lib/storage';
import type { KeptPlaces } from './changes';

/** How many places of lines a device keeps for a city; the oldest go first. */
const mostKept = 50;

/** Where lines that were brought back stood in the cart of a city; the device keeps it over a reload. */
export class LinePlaces {
  readonly #key: string;
  readonly #places: Map<string, string>;

  constructor(cityId: number) {
    this.#key = `line-places.${cityId}`;
    this.#places = new Map(readStored(this.#key, isPlaces));
  }

  /** The times that lines keep their place by, by their names. */
  get all(): KeptPlaces {
    return this.#places;
  }

  /** Keeps the place of a line that is brought back. */
  keep(name: string, addedAt: string): void {
    this.#places.delete(name);
    this.#places.set(name, addedAt);
    const [oldest] = this.#places.keys();
    if (this.#places.size > mostKept && oldest !== undefined) this.#places.delete(oldest);
    writeStored(this.#key, [...this.#places]);
  }

  /** Forgets the place of a line that is removed. */
  release(name: string): void {
    if (this.#places.delete(name)) writeStored(this.#key, [...this.#places]);
  }
}

/** What an older version kept may look otherwise; then nothing was kept. */
function isPlaces(value: unknown): value is [string, string][] {
  return (
    Array.isArray(value) &&
    value.every(
      (entry) =>
        Array.isArray(entry) &&
        entry.length === 2 &&
        entry.every((part) => typeof part === 'string'),
    )
  );
}
