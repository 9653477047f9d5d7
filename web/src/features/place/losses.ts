import type { Schema } from '@/api/types';

/** What a visitor gives up by having the order at another place. */
export interface Losses {
  /** Names of dishes in the cart that cannot be had there. */
  products: string[];
  /** The chosen time, which belongs to the place before. */
  time?: string;
}

/** Compares a cart with the menu of another place. */
export function lossesAt(cart: Schema<'Cart'>, menu: Schema<'Menu'>): Losses {
  const had = new Set(
    menu.product_groups
      .flatMap(({ products }) => products)
      .filter(({ type }) => type === 'default' || type === 'related')
      .map(({ key }) => key),
  );
  const gone = Object.values(cart.products).filter(({ product_key }) => !had.has(product_key));
  const { interval } = cart;
  return {
    products: gone.map(({ name }) => name),
    time: interval && !interval.asap ? interval.title : undefined,
  };
}

export const isNothing = ({ products, time }: Losses) => products.length === 0 && !time;
