import data from '@mdn/browser-compat-data/forLegacyNode';
import type { CompatStatement, Identifier, SupportStatement } from '@mdn/browser-compat-data/types';
import { floor } from './floor';

/**
 * Returns the entry of browser-compat-data at a path, such as `css`, `types`, `color`, `oklch`; undefined for
 * none.
 */
export function findEntry(...path: string[]): Identifier | undefined {
  let entry: unknown = data;
  for (const name of path) {
    if (typeof entry !== 'object' || entry === null || !Object.hasOwn(entry, name))
      return undefined;
    entry = (entry as Record<string, unknown>)[name];
  }
  return entry as Identifier;
}

/** Returns the names directly below an entry. */
export const namesBelow = (entry: Identifier | undefined): string[] =>
  Object.keys(entry ?? {}).filter((name) => name !== '__compat');

/** Returns the first browser of the floor that lacks an entry; undefined when all have it or there is no data. */
export function lackingBrowser(entry: Identifier | undefined): string | undefined {
  const support = entry?.__compat?.support as CompatStatement['support'] | undefined;
  if (!support) return undefined;
  const lacking = Object.entries(floor).find(([browser, version]) => {
    const known = support[browser as keyof typeof floor];
    return known !== undefined && !supports(known, version);
  });
  return lacking && `${lacking[0]} ${lacking[1]}`;
}

/** Reports whether a version supports a feature without a flag, by its usual name, and has not lost it since. */
function supports(known: SupportStatement, version: number): boolean {
  return [known].flat().some(({ version_added: added, version_removed: removed, ...way }) => {
    if (way.flags || way.prefix || way.alternative_name || typeof added !== 'string') return false;
    const isGone = typeof removed === 'string' && toNumber(removed) <= version;
    return !isGone && toNumber(added) <= version;
  });
}

/** Returns a version such as `15.4`, `≤80` or `preview` as a number. */
function toNumber(version: string): number {
  const number = Number.parseFloat(version.replace('≤', ''));
  return Number.isNaN(number) ? Number.POSITIVE_INFINITY : number;
}
