import type { Schema } from '@/api/types';
import { isGone } from '@/entities/intervals/rules';

/** The dishes and the time that the visitor loses with another place. */
export interface Losses {
  /** Names of dishes in the cart that are not available there. */
  products: string[];
  /** The chosen time, where it is not available there. */
  time?: Schema<'Interval'>;
}

/**
 * Returns the dishes of a cart that are not on the menu of another place, and its time if it is not
 * among the times of that day there. Without times, the time is not compared; what is sold only as an
 * addition is on no menu, and is not compared either.
 */
export function lossesAt(
  cart: Schema<'Cart'>,
  menu: Schema<'Menu'>,
  times: Schema<'Intervals'> | undefined,
): Losses {
  const available = new Set(
    menu.product_groups
      .flatMap(({ products }) => products)
      .filter(({ type }) => type === 'default')
      .map(({ key }) => key),
  );
  const gone = Object.values(cart.products).filter(
    ({ product_key, type }) => type !== 'related' && !available.has(product_key),
  );
  const { interval } = cart;
  return {
    products: gone.map(({ name }) => name),
    time: times && isGone(interval, times, times.date) ? interval : undefined,
  };
}

/** Reports whether nothing is lost. */
export const losesNothing = ({ products, time }: Losses) => products.length === 0 && !time;
