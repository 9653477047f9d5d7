import { keys } from '@/api/keys';
import type { Schema } from '@/api/types';
import { visibleModals } from '@/ui/modals/modal-state';
import { modals } from '@/ui/modals/modal-store';
import { itemOfLine, itemOfProduct } from './events';
import { cityOf, menuOf, type PageState, productOf } from './page-state';
import { noteCheckout } from './purchases';

/** How many dishes of a list are reported. */
const longestList = 20;

/** The event that a page reports once its data are loaded. */
export type AwaitedEvent = 'list' | 'checkout' | undefined;

/**
 * Returns the event that the page with the path reports once its data are loaded: `list` for the home page,
 * `checkout` for the cart; undefined for others.
 */
export function awaitedEventOn(path: string, city: string | undefined): AwaitedEvent {
  if (path === `/${city}`) return 'list';
  return path === `/${city}/cart` ? 'checkout' : undefined;
}

/** Reports the often ordered dishes as a list. It returns false while city or menu are not loaded. */
export function reportList(page: PageState): boolean {
  const [city, menu] = [cityOf(page), menuOf(page)];
  if (!city || !menu) return false;
  const items = menu.popular_products
    .slice(0, longestList)
    .flatMap((key) => productOf(page, key) ?? [])
    .map((product) => itemOfProduct(product));
  const currency = city.prices.currency_code;
  if (items.length > 0) page.report({ kind: 'view-list', currency, list: 'popular', items });
  return true;
}

/**
 * Reports that a checkout was begun, and stores the time on the device. It returns false while the cart is empty
 * or absent.
 */
export function reportCheckout(page: PageState): boolean {
  const city = cityOf(page);
  const cart = city && page.client.getQueryData<Schema<'Cart'>>(keys.cart(city.id));
  if (!cart || cart.count === 0) return false;
  noteCheckout();
  page.report({
    kind: 'begin-checkout',
    currency: city.prices.currency_code,
    value: cart.prices.total,
    items: Object.values(cart.products).map((line) => itemOfLine(line)),
  });
  return true;
}

/**
 * Returns a function to call after each change of the modals. It reports the dish whose modal is on top, once
 * for each opening.
 */
export function watchDishes(page: PageState): () => void {
  let viewed: number | undefined;
  return () => {
    const top = visibleModals(modals.get()).at(-1);
    if (top?.name !== 'product' || top.id === viewed) return;
    const product = productOf(page, (top.params as { productKey: string }).productKey);
    const city = cityOf(page);
    if (!product || !city) return;
    viewed = top.id;
    const currency = city.prices.currency_code;
    page.report({ kind: 'view-item', currency, item: itemOfProduct(product) });
  };
}
