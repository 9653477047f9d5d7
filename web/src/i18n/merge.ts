import type { Messages } from '@lingui/core';

/** Compiled catalogues by file, as the bundler returns them. */
export type CatalogueModules = Record<string, { messages: Messages }>;

/** Merges catalogues into one. A text that several screens show has one id, and the same text in each. */
export function mergeCatalogues(modules: CatalogueModules): Messages {
  return Object.assign({}, ...Object.values(modules).map((module) => module.messages));
}
