import { findEntry, lackingBrowser } from './compat';

/** Something in a built file that a browser of the floor lacks. */
export interface Newer {
  feature: string;
  /** The first of the browsers that lack it. */
  lacking: string;
}

/** Gathers what the floor lacks, each thing once. */
export class Findings {
  private readonly found = new Map<string, Newer>();

  /** Adds a feature if the entry at the path is lacked, and reports whether it is. */
  check(feature: string, path: readonly string[]): boolean {
    return this.add(feature, lackingBrowser(findEntry(...path)));
  }

  /** Adds a feature if some browser lacks it, and reports whether one does. */
  add(feature: string, lacking: string | undefined): boolean {
    if (lacking !== undefined) this.found.set(feature, { feature, lacking });
    return lacking !== undefined;
  }

  all(): Newer[] {
    return [...this.found.values()];
  }
}
