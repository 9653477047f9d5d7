import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '@/api/client';
import { keys } from '@/api/keys';
import { fetchData } from '@/api/result';
import type { Schema } from '@/api/types';
import { toQuery, usePlace } from '@/entities/place/place';
import { inLastHour, useIsLastHour } from './last-hour';

/** The menu as it is sold at a place. Equal places share one entry of the cache. */
export const menuQuery = (place: Schema<'Place'>) =>
  queryOptions({
    queryKey: keys.menu(place),
    queryFn: ({ signal }) => fetchData(api.GET('/products', { params: { query: place }, signal })),
  });

/** A product by its key or alias, also one that is not on the menu because it is sold only as an addition. */
export const productQuery = (place: Schema<'Place'>, name: string) =>
  queryOptions({
    queryKey: keys.product(place, name),
    queryFn: async ({ signal }) => {
      const params = { path: { product_key: name }, query: place };
      return (await fetchData(api.GET('/products/{product_key}', { params, signal }))).product;
    },
  });

/**
 * Returns the menu of the visitor's place, with the multiplicities of the last hour while it lasts. While
 * the menu of a new place in the city loads, it returns the former one.
 */
export function useMenu() {
  const place = usePlace();
  const isLastHour = useIsLastHour();
  return useQuery({
    ...menuQuery(toQuery(place)),
    select: isLastHour ? inLastHour : undefined,
    // Another city has other products: only a menu of this city may be shown. The key has the city second.
    placeholderData: (previous, query) =>
      query?.queryKey[1] === place.cityId ? keepPreviousData(previous) : undefined,
  });
}

/** Returns a product of the menu by its key; undefined while the menu loads and when it is not sold here. */
export function useProduct(key: Schema<'ProductKey'>): Schema<'Product'> | undefined {
  const { data: menu } = useMenu();
  return useMemo(() => menu && productsByKey(menu).get(key), [menu, key]);
}

/** Returns all products of a menu by key; those that are sold only as additions are on no menu. */
export function productsByKey(menu: Schema<'Menu'>): Map<string, Schema<'Product'>> {
  const products = menu.product_groups.flatMap((group) => group.products);
  return new Map(products.map((product) => [product.key, product]));
}
