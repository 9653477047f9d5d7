import { type LastOrder, readLastOrder, writeLastOrder } from './last-order';

/**
 * Stores an order that is shown as the last one of this device, unless it is over and another is in progress: the bar of
 * the order in progress follows the last order.
 */
export function rememberOrder(order: LastOrder): void {
  const last = readLastOrder();
  const isOtherOpen = last && last.orderId !== order.orderId && !last.isOver;
  if (!order.isOver || !isOtherOpen) writeLastOrder(order);
}
