import type { Schema } from '@/api/types';
import { orderQuery } from '@/entities/order/queries';
import { itemOfLine } from './events';
import type { PageState } from './page-state';
import { claimPurchase } from './purchases';

/** Reports an order as a purchase when it was placed here and is paid, once. */
export function reportPurchase(page: PageState, order: Schema<'Order'>): void {
  if (!claimPurchase(order)) return;
  const { products, prices } = order.cart;
  page.report({
    kind: 'purchase',
    currency: order.currency,
    orderId: order.order_id,
    value: prices.total,
    items: products.map((line) => itemOfLine(line)),
  });
}

/** Loads the order of a payment that has succeeded; `watchPage` reports it once it is in the cache. */
export function loadPaidOrder({ client }: PageState, payment: Schema<'OrderPayment'>): void {
  if (payment.state !== 'paid') return;
  // When the order cannot be loaded now, the tracking page loads it.
  client.fetchQuery(orderQuery(payment.order_id)).catch(() => undefined);
}
