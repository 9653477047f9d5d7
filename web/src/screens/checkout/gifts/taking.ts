import { useMemo, useSyncExternalStore } from 'react';
import { api } from '@/api/client';
import type { IdempotencyHeader } from '@/api/idempotency';
import { attempt } from '@/api/result';
import type { Schema } from '@/api/types';
import type { Outbox } from '@/entities/cart/outbox';
import { useCart, useCartSession } from '@/entities/cart/queries';
import { createStore, type Store } from '@/lib/store';

type Gift = Schema<'Gift'>;

/** The changes of counts that the server has not confirmed, by gift. */
type PendingCounts = ReadonlyMap<string, number>;

/** A gift with the count that the visitor sees. */
export interface ShownGift {
  gift: Gift;
  count: number;
  isPending: boolean;
}

const pendingCounts = new WeakMap<Outbox, Store<PendingCounts>>();

/** Returns the store of the unconfirmed changes of a city's gifts; each outbox has its own store. */
function pendingCountsOf(outbox: Outbox): Store<PendingCounts> {
  const known = pendingCounts.get(outbox) ?? createStore<PendingCounts>(new Map());
  pendingCounts.set(outbox, known);
  return known;
}

/** Returns a key of a gift or present, whose ids are counted separately. */
export const keyOf = ({ type, id }: Gift) =>
  `${type === 'personalGift' ? 'present' : 'gift'}.${id}`;

/** Returns the gifts and presents with the counts that the visitor has set, also before the server confirms them. */
export function useGifts(): { gifts: ShownGift[]; presents: ShownGift[] } {
  const { cart } = useCart();
  const pending = pendingCountsOf(useCartSession().outbox);
  const deltas = useSyncExternalStore(pending.subscribe, pending.get, getServerSnapshot);
  return useMemo(() => {
    const show = (gift: Gift): ShownGift => {
      const delta = deltas.get(keyOf(gift)) ?? 0;
      const count = Math.min(gift.max_count, Math.max(0, gift.count + delta));
      // The server says whether one more is available: one that goes back is, unless the gift has run out.
      const isAvailable = gift.is_available || (delta < 0 && !gift.alert);
      return {
        gift: { ...gift, is_available: isAvailable },
        // Only an unconfirmed count is bounded; the server's is shown as it is.
        count: delta === 0 ? gift.count : count,
        isPending: delta !== 0,
      };
    };
    return { gifts: cart?.gifts.map(show) ?? [], presents: cart?.presents.map(show) ?? [] };
  }, [cart, deltas]);
}

/**
 * Returns a function that changes a gift's count by one towards the wanted count. It shows the change at once
 * and queues the call; when the server has decided, its count is shown again.
 */
export function useTakeGift(): (shown: ShownGift, wanted: number) => void {
  const { outbox, whereNow, announceTotal } = useCartSession();
  const pending = pendingCountsOf(outbox);
  const addPending = (key: string, delta: number) => {
    const count = (pending.get().get(key) ?? 0) + delta;
    const others = [...pending.get()].filter(([other]) => other !== key);
    pending.set(new Map(count === 0 ? others : [...others, [key, count]]));
  };
  return ({ gift, count }, wanted) => {
    if (wanted === count) return;
    const key = keyOf(gift);
    const delta = wanted > count ? 1 : -1;
    addPending(key, delta);
    const call = callFor(gift, delta, count, whereNow());
    outbox.post(call, { onAccepted: announceTotal, onDecided: () => addPending(key, -delta) });
  };
}

/** Returns the call that adds or removes one piece of a gift. Removing the last piece is a different call. */
function callFor(gift: Gift, delta: 1 | -1, count: number, where: Schema<'Place'>) {
  const { id } = gift;
  return (header: IdempotencyHeader) => {
    const params = { header };
    if (gift.type === 'personalGift') {
      const body = { ...where, id };
      const path = delta > 0 ? '/cart/gift/add-present' : '/cart/gift/remove-present';
      return attempt(api.PUT(path, { body, params }));
    }
    const body = { ...where, gift_id: id };
    if (delta > 0) return attempt(api.PUT('/cart/gift/add', { body, params }));
    const path = count === 1 ? '/cart/gift/forget' : '/cart/gift/remove';
    return attempt(api.PUT(path, { body, params }));
  };
}

const nonePending: PendingCounts = new Map();
/** Returns the counts on the server: the same object each time, as useSyncExternalStore demands. */
const getServerSnapshot = () => nonePending;
