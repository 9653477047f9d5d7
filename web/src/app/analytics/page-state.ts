import type { QueryClient } from '@tanstack/react-query';
import { keys } from '@/api/keys';
import type { Schema } from '@/api/types';
import { productsByKey } from '@/entities/menu/queries';
import type { AnalyticsEvent } from './events';

/** The page and its data, from which events are reported. */
export interface PageState {
  client: QueryClient;
  report: (event: AnalyticsEvent) => void;
  /** The alias of the city of the page; undefined outside of a city. */
  cityAlias: string | undefined;
}

/** Returns the city of the page; undefined while it is not known. */
export const cityOf = ({ client, cityAlias }: PageState) =>
  cityAlias === undefined ? undefined : client.getQueryData<Schema<'City'>>(keys.city(cityAlias));

/** Returns the menu that a shown component uses; undefined while there is none. */
export const menuOf = ({ client }: PageState) =>
  client.getQueryCache().findAll({ queryKey: keys.menus(), type: 'active' })[0]?.state.data as
    | Schema<'Menu'>
    | undefined;

/** Returns a dish of the menu on the screen; undefined when the menu does not have it. */
export function productOf(page: PageState, key: string): Schema<'Product'> | undefined {
  const menu = menuOf(page);
  return menu && productsByKey(menu).get(key);
}
