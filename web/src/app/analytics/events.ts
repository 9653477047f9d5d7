import type { Schema } from '@/api/types';

/** A dish as it is reported, without anything about who orders it. */
export interface Item {
  id: string;
  name: string;
  /** Of one portion, in the currency of the city. */
  price: number;
  quantity: number;
  category?: string;
}

/** An event that is reported. No event has data about a person. */
export type AnalyticsEvent =
  | { kind: 'view-list'; currency: string; list: string; items: readonly Item[] }
  | { kind: 'view-item'; currency: string; item: Item }
  | { kind: 'add' | 'remove'; currency: string; items: readonly Item[] }
  | { kind: 'begin-checkout'; currency: string; value: number; items: readonly Item[] }
  | { kind: 'purchase'; currency: string; orderId: number; value: number; items: readonly Item[] }
  /** Something was typed into the field; its text is not reported. */
  | { kind: 'promocode' | 'comment' };

/** A page that is viewed. Its address names no order and no visitor. */
export interface PageView {
  address: string;
  /** The page before, within the site. */
  from?: string;
}

/** Reports to one provider. */
export interface Sender {
  view(page: PageView): void;
  send(event: AnalyticsEvent): void;
  /** Stops reporting and removes what the provider has stored on the device. */
  stop(): void;
}

type Line = Pick<Schema<'CartProduct'>, 'product_key' | 'name' | 'price_with_modifiers' | 'count'>;

/** Returns a line of a cart or an order as an item. */
export const itemOfLine = (line: Line, quantity = line.count): Item => ({
  id: line.product_key,
  name: line.name,
  price: line.price_with_modifiers,
  quantity,
});

/** Returns a product of the menu as an item. */
export const itemOfProduct = (product: Schema<'Product'>, category?: string): Item => ({
  id: product.key,
  name: product.name,
  price: product.price,
  quantity: 1,
  category,
});

/** Returns the address of a page without its query and without numbers, keys and tokens in its path. */
export function cleanAddress(address: string): string {
  const { origin, pathname } = new URL(address);
  const clean = pathname
    .replace(/\/order\/payment\/[^/]+/, '/order/payment/key')
    .replace(/\/order\/\d+/, '/order/number')
    .replace(/^\/(auth|l|s)\/.*/, '/$1');
  return origin + clean;
}
