import type { Messages } from '@lingui/core';

/** Compiled catalogues by file, as the bundler returns them. */
export type CatalogueModules = Record<string, { messages: Messages }>;

/** Catalogues in chunks of their own, by file. */
export type LazyCatalogues = Record<string, () => Promise<CatalogueModules[string]>>;

/** One catalogue of many. A text that several rooms show has one id, and the same words in each. */
export function mergeCatalogues(modules: CatalogueModules): Messages {
  return Object.assign({}, ...Object.values(modules).map((module) => module.messages));
}
