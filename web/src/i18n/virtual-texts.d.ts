declare module 'virtual:texts' {
  import type { Messages } from '@lingui/core';
  import type { Language } from '@/lib/language';
  import type { LazyCatalogues } from './merge';

  /** Loads the texts of the first page in a language, and what loads those of its screens. */
  export const texts: Record<
    Language,
    () => Promise<{ default: Messages; screens: LazyCatalogues }>
  >;
}
