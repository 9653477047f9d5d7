import { readStored, writeStored } from '@/lib/storage';
import type { KeptPositions } from './changes';

/** How many positions a device stores for a city; the oldest are removed first. */
const mostKept = 50;

/** The former positions of restored lines in the cart of a city. They are stored on the device. */
export class LinePositions {
  readonly #key: string;
  readonly #positions: Map<string, string>;

  constructor(cityId: number) {
    this.#key = `line-places.${cityId}`;
    this.#positions = new Map(readStored(this.#key, isPositions));
  }

  /** The times by which lines keep their position, by their names. */
  get all(): KeptPositions {
    return this.#positions;
  }

  /** Stores the position of a line that is restored. */
  keep(name: string, addedAt: string): void {
    this.#positions.delete(name);
    this.#positions.set(name, addedAt);
    const [oldest] = this.#positions.keys();
    if (this.#positions.size > mostKept && oldest !== undefined) this.#positions.delete(oldest);
    writeStored(this.#key, [...this.#positions]);
  }

  /** Removes the position of a line. */
  release(name: string): void {
    if (this.#positions.delete(name)) writeStored(this.#key, [...this.#positions]);
  }
}

/** Reports whether a stored value has today's form; an older version may have stored another. */
function isPositions(value: unknown): value is [string, string][] {
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
