import { readStored, removeInTab, removeStored, writeStored } from '@/lib/storage';

/** An order of this device that was placed to be paid online. */
export interface UnpaidOrder {
  orderId: number;
  cityId: number;
  cityAlias: string;
  /** Its order cache key, which leads to the payment page. */
  key: string;
  /** Whether it is known to wait no longer. */
  isOver?: boolean;
}

const memory = 'order.unpaid';

const isUnpaidOrder = (value: unknown): value is UnpaidOrder => {
  const { orderId, cityId, cityAlias, key } = (value ?? {}) as Record<keyof UnpaidOrder, unknown>;
  return (
    typeof orderId === 'number' &&
    typeof cityId === 'number' &&
    typeof cityAlias === 'string' &&
    typeof key === 'string'
  );
};

/** The order that was sent to payment last. */
export const readUnpaidOrder = () => readStored(memory, isUnpaidOrder);

/** Stores the order that waits for its payment. */
export const writeUnpaidOrder = (order: UnpaidOrder) => writeStored(memory, order);

/** Where the tab keeps what was typed into the checkout of a city. */
export const checkoutDraftKey = (cityId: number) => `checkout.${cityId}`;

/**
 * Notes that an order waits no longer. When it was paid the checkout's draft goes: until then
 * after Back the customer finds everything filled in.
 */
export function settleUnpaid(orderId: number, { isPaid }: { isPaid: boolean }): void {
  const order = readUnpaidOrder();
  if (order?.orderId !== orderId || order.isOver) return;
  writeUnpaidOrder({ ...order, isOver: true });
  if (isPaid) removeInTab(checkoutDraftKey(order.cityId));
}

/** Forgets the order: it is not this visitor's any more. */
export const removeUnpaidOrder = () => removeStored(memory);
