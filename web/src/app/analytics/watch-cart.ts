import type { Schema } from '@/api/types';
import { readLastOrder } from '@/entities/order/last-order';
import { type Item, itemOfLine } from './events';
import { cityOf, type PageState } from './page-state';

type Cart = Schema<'Cart'>;

/** Returns the items that were added to a cart and removed from it between two answers of the server. */
export function compareLines(
  before: Cart['products'],
  after: Cart['products'],
): { added: Item[]; removed: Item[] } {
  const added: Item[] = [];
  const removed: Item[] = [];
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const line = after[key] ?? before[key];
    const delta = (after[key]?.count ?? 0) - (before[key]?.count ?? 0);
    if (!line || delta === 0) continue;
    (delta > 0 ? added : removed).push(itemOfLine(line, Math.abs(delta)));
  }
  return { added, removed };
}

/**
 * Returns a function that is called with each cart of the server and reports the changes of the cart of the
 * page's city.
 */
export function watchCarts(page: PageState): (cart: Cart) => void {
  const carts = new Map<number, Cart>();
  let lastOrder = readLastOrder()?.orderId;
  return (cart) => {
    const before = carts.get(cart.city_id);
    carts.set(cart.city_id, cart);
    const city = cityOf(page);
    if (!before || city?.id !== cart.city_id) return;
    const { added, removed } = compareLines(before.products, cart.products);
    const currency = city.prices.currency_code;
    if (added.length > 0) page.report({ kind: 'add', currency, items: added });
    const ordered = readLastOrder()?.orderId;
    // An order takes its dishes out of the cart; that is no removal by the visitor.
    const isOrdered = cart.count === 0 && ordered !== lastOrder;
    if (isOrdered) lastOrder = ordered;
    else if (removed.length > 0) page.report({ kind: 'remove', currency, items: removed });
  };
}
