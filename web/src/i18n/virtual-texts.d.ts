declare module 'virtual:texts' {
  import type { Messages } from '@lingui/core';
  import type { Group } from '@/i18n/groups';
  import type { Language } from '@/lib/language';

  /** What loads each of the other catalogues of a language. */
  type Catalogues = Record<Exclude<Group, 'first'>, () => Promise<{ messages: Messages }>>;

  /** Loads the texts of the first page in a language, and what loads the others. */
  export const texts: Record<
    Language,
    () => Promise<{ default: Messages; catalogues: Catalogues }>
  >;
}
