import { readStored, removeInTab, removeStored, writeStored } from '@/lib/storage';

/** An order of this device that was placed to be paid online. */
export interface UnpaidOrder {
  orderId: number;
  cityId: number;
  cityAlias: string;
  /** Its order cache key, which leads to the payment page. */
  key: string;
  /** Whether it no longer waits for its payment, as far as is known. */
  isOver?: boolean;
}

const memory = 'order.unpaid';

/** Reports whether a stored value is an unpaid order. */
const isUnpaidOrder = (value: unknown): value is UnpaidOrder => {
  const { orderId, cityId, cityAlias, key } = (value ?? {}) as Record<keyof UnpaidOrder, unknown>;
  return (
    typeof orderId === 'number' &&
    typeof cityId === 'number' &&
    typeof cityAlias === 'string' &&
    typeof key === 'string'
  );
};

/** Returns the order that was sent to payment last. */
export const readUnpaidOrder = () => readStored(memory, isUnpaidOrder);

/** Stores the order that waits for its payment. */
export const writeUnpaidOrder = (order: UnpaidOrder) => writeStored(memory, order);

/** Returns the key under which the tab stores the draft of the checkout of a city. */
export const checkoutDraftKey = (cityId: number) => `checkout.${cityId}`;

/**
 * Stores that the unpaid order no longer waits, and removes the draft of its checkout when it was paid. Before
 * that the draft is kept, so that the checkout is filled in after Back. Another order changes nothing.
 */
export function settleUnpaid(orderId: number, { isPaid }: { isPaid: boolean }): void {
  const order = readUnpaidOrder();
  if (order?.orderId !== orderId || order.isOver) return;
  writeUnpaidOrder({ ...order, isOver: true });
  if (isPaid) removeInTab(checkoutDraftKey(order.cityId));
}

/** Removes the stored order, because it does not belong to this visitor. */
export const removeUnpaidOrder = () => removeStored(memory);
