import { useQuery } from '@tanstack/react-query';
import type { Schema } from '@/api/types';
import { cartQuery } from '@/entities/cart/queries';
import { useCity } from '@/entities/city/context';

/**
 * Reports whether the chosen shop is in its last hour of work, by the cart that was loaded last; false until a
 * cart is loaded.
 */
export function useIsLastHour(): boolean {
  const { data } = useQuery({ ...cartQuery(useCity()), enabled: false, select: isLastHour });
  return data ?? false;
}

/**
 * Returns when the last hour of work of the chosen shop ends, by the cart that was loaded last; undefined outside
 * of that hour and until a cart is loaded.
 */
export function useLastHourEnd(): string | undefined {
  const { data } = useQuery({ ...cartQuery(useCity()), enabled: false, select: lastHourEnd });
  return data ?? undefined;
}

/** Returns the menu with every product sold in the steps of the last hour of work. */
export function inLastHour(menu: Schema<'Menu'>): Schema<'Menu'> {
  const product_groups = menu.product_groups.map((group) => ({
    ...group,
    products: group.products.map((product) => ({
      ...product,
      sale_multiplicity: product.sale_multiplicity_last_hour,
    })),
  }));
  return { ...menu, product_groups };
}

// The data of a query must not be undefined.
const lastHourEnd = (cart: Schema<'Cart'>) => cart.last_hour_until ?? null;

const isLastHour = (cart: Schema<'Cart'>) => cart.last_hour === true;
