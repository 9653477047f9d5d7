import type { Messages } from '@lingui/core';

/** Compiled catalogues by file, as the bundler returns them. */
export type CatalogueModules = Record<string, { messages: Messages }>;

/** One catalogue of many. A text that several rooms show has one id, and the same words in each. */
export function mergeCatalogues(modules: CatalogueModules): Messages {
  return Object.assign({}, ...Object.values(modules).map((module) => module.messages));
}
