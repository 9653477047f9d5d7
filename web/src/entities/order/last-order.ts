import { readStored, writeStored } from '@/lib/storage';

/** The order placed or looked up last on this device. */
export interface LastOrder {
  orderId: number;
  cityAlias: string;
  /** Whether there is nothing left to follow: the order is over, or this browser may not see it. */
  isOver?: boolean;
}

const key = 'last-order';

/** Reports whether a stored value is an order. */
const isLastOrder = (value: unknown): value is LastOrder => {
  const { orderId, cityAlias } = (value ?? {}) as Record<keyof LastOrder, unknown>;
  return typeof orderId === 'number' && typeof cityAlias === 'string';
};

/** Returns the order that was last placed or looked up on this device; undefined when there is none. */
export const readLastOrder = () => readStored(key, isLastOrder);

/** Remembers an order for 256 days, so that it can be offered where orders are looked up. */
export const writeLastOrder = (order: LastOrder) => writeStored(key, order);
