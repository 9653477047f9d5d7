import type { Schema } from '@/api/types';
import { useCity } from '@/entities/city/context';

/** The program's own pages that show the brand's words of the same name. */
const ownPages = new Set(['bonus', 'delivery', 'promotions', 'shops']);

/** Returns the pages of the brand's words that have an address of their own, in the brand's order. */
export function useWordPages(): Schema<'PageLink'>[] {
  return useCity().pages.filter(({ alias }) => !ownPages.has(alias));
}
