import { useSuspenseQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, use } from 'react';
import type { Schema } from '@/api/types';
import { cityQuery } from './queries';

const CityAliasContext = createContext<string | null>(null);
const CityContext = createContext<Schema<'City'> | null>(null);

/** Provides the alias of the city of the page to everything below. */
export function CityProvider({ alias, children }: { alias: string; children: ReactNode }) {
  return <CityAliasContext value={alias}>{children}</CityAliasContext>;
}

/** Returns the alias in the address; null on pages that belong to no city. */
export function useCityAlias(): string | null {
  return use(CityAliasContext);
}

/** Provides the city of the page to everything below. Suspends until it is loaded. */
export function LoadedCity({ children }: { children: ReactNode }) {
  const alias = use(CityAliasContext);
  if (alias === null) throw new Error('LoadedCity on a page without a city');
  const { data: city } = useSuspenseQuery(cityQuery(alias));
  return <CityContext value={city}>{children}</CityContext>;
}

/** Returns the city of the page. Use it below a city's route only. */
export function useCity(): Schema<'City'> {
  const city = use(CityContext);
  if (city === null) throw new Error('useCity on a page without a city');
  return city;
}

/**
 * Returns a function that adds the city of the page to a path: `path('/cart')` is `/moscow/cart`. Outside of a
 * city the path stays.
 */
export function useCityPath(): (path?: string) => string {
  const alias = use(CityAliasContext);
  return (path = '') => (alias === null ? path || '/' : `/${alias}${path}`);
}
