import type { Messages } from '@lingui/core';

/** Compiled catalogues by file, as the bundler gives them. */
export type CatalogueModules = Record<string, { messages: Messages }>;

/** One catalogue of many: message ids are made from the text, so equal ids carry equal texts. */
export function mergeCatalogues(modules: CatalogueModules): Messages {
  return Object.assign({}, ...Object.values(modules).map((module) => module.messages));
}
