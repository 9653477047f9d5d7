import { readStored, writeStored } from '@/lib/storage';
import type { KeptPlaces } from './changes';

/** How many places of lines a device keeps for a city; the oldest go first. */
const mostKept = 50;

/** The former places of restored lines in the cart of a city; the device keeps them over a reload. */
export class LinePlaces {
  readonly #key: string;
  readonly #places: Map<string, string>;

  constructor(cityId: number) {
    this.#key = `line-places.${cityId}`;
    this.#places = new Map(readStored(this.#key, isPlaces));
  }

  /** The times by which lines keep their place, by their names. */
  get all(): KeptPlaces {
    return this.#places;
  }

  /** Keeps the place of a line that is restored. */
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

/** Reports whether a stored value has today's form; an older version may have stored another. */
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
