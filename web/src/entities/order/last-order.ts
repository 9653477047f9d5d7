import { readStored, writeStored } from '@/lib/storage';

/** The order placed or looked up last on this device. */
export interface LastOrder {
  orderId: number;
  cityAlias: string;
}

const key = 'last-order';

const isLastOrder = (value: unknown): value is LastOrder => {
  const { orderId, cityAlias } = (value ?? {}) as Record<keyof LastOrder, unknown>;
  return typeof orderId === 'number' && typeof cityAlias === 'string';
};

/** Returns the last order that was placed on this device. */
export const readLastOrder = () => readStored(key, isLastOrder);

/** Remembers an order for 256 days, so that it can be offered where orders are looked up. */
export const writeLastOrder = (order: LastOrder) => writeStored(key, order);
