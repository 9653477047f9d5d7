declare module 'virtual:texts' {
  import type { Messages } from '@lingui/core';
  import type { Group } from '@/i18n/groups';
  import type { Language } from '@/lib/language';

  /** The functions that load the other catalogues of a language. */
  type Catalogues = Record<Exclude<Group, 'first'>, () => Promise<{ messages: Messages }>>;

  /** For each language, loads the texts of the first page and the functions for its other catalogues. */
  export const texts: Record<
    Language,
    () => Promise<{ default: Messages; catalogues: Catalogues }>
  >;
}
