import { findEntry, lackingBrowser } from './compat';

/** Something in a built file that a browser of the floor lacks. */
export interface Newer {
  feature: string;
  /** The first of the browsers that lack it. */
  lacking: string;
}

/** Collects the features that the floor lacks, each once. */
export class Findings {
  private readonly found = new Map<string, Newer>();

  /** Adds a feature if a browser of the floor lacks the entry at the path, and reports whether one does. */
  check(feature: string, path: readonly string[]): boolean {
    return this.add(feature, lackingBrowser(findEntry(...path)));
  }

  /** Adds a feature unless `lacking`, the browser that lacks it, is undefined; reports whether it was added. */
  add(feature: string, lacking: string | undefined): boolean {
    if (lacking !== undefined) this.found.set(feature, { feature, lacking });
    return lacking !== undefined;
  }

  all(): Newer[] {
    return [...this.found.values()];
  }
}
