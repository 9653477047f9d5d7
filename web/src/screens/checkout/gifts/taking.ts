import { useMemo, useSyncExternalStore } from 'react';
import { api } from '@/api/client';
import type { IdempotencyHeader } from '@/api/idempotency';
import { attempt } from '@/api/result';
import type { Schema } from '@/api/types';
import type { Outbox } from '@/entities/cart/outbox';
import { useCart, useCartSession } from '@/entities/cart/queries';
import { createStore, type Store } from '@/lib/store';

type Gift = Schema<'Gift'>;

/** The counts that the visitor has set and the server has not confirmed, by gift. */
type Taking = ReadonlyMap<string, number>;

/** A gift with the count that the visitor sees. */
export interface ShownGift {
  gift: Gift;
  count: number;
  isPending: boolean;
}

const takings = new WeakMap<Outbox, Store<Taking>>();

/** Returns the store of the changes that are underway for a city's gifts; there is one for each outbox. */
function takingOf(outbox: Outbox): Store<Taking> {
  const known = takings.get(outbox) ?? createStore<Taking>(new Map());
  takings.set(outbox, known);
  return known;
}

/** Returns a key of a gift or present, whose ids are counted separately. */
export const keyOf = ({ type, id }: Gift) =>
  `${type === 'personalGift' ? 'present' : 'gift'}.${id}`;

/** Returns the gifts for everybody and the visitor's own presents, counted as they see them. */
export function useGifts(): { gifts: ShownGift[]; presents: ShownGift[] } {
  const { cart } = useCart();
  const taking = takingOf(useCartSession().outbox);
  const underway = useSyncExternalStore(taking.subscribe, taking.get, nothingUnderway);
  return useMemo(() => {
    const show = (gift: Gift): ShownGift => {
      const by = underway.get(keyOf(gift)) ?? 0;
      const count = Math.min(gift.max_count, Math.max(0, gift.count + by));
      return { gift, count: by === 0 ? gift.count : count, isPending: by !== 0 };
    };
    return { gifts: cart?.gifts.map(show) ?? [], presents: cart?.presents.map(show) ?? [] };
  }, [cart, underway]);
}

/** Returns a function that adds one of a gift or removes one: shown at once, sent after the other changes. */
export function useTakeGift(): (shown: ShownGift, wanted: number) => void {
  const { outbox, where, announceTotal } = useCartSession();
  const taking = takingOf(outbox);
  const addUnderway = (key: string, by: number) => {
    const count = (taking.get().get(key) ?? 0) + by;
    const others = [...taking.get()].filter(([other]) => other !== key);
    taking.set(new Map(count === 0 ? others : [...others, [key, count]]));
  };
  return ({ gift, count }, wanted) => {
    if (wanted === count) return;
    const key = keyOf(gift);
    const by = wanted > count ? 1 : -1;
    addUnderway(key, by);
    const call = callFor(gift, by, count, where);
    outbox.post(call, { onAccepted: announceTotal, onDecided: () => addUnderway(key, -by) });
  };
}

/** Returns the call that adds one of a gift or removes one. Removing the last one is a call of its own. */
function callFor(gift: Gift, by: 1 | -1, count: number, where: Schema<'Place'>) {
  const { id } = gift;
  return (header: IdempotencyHeader) => {
    const params = { header };
    if (gift.type === 'personalGift') {
      const body = { ...where, id };
      const path = by > 0 ? '/cart/gift/add-present' : '/cart/gift/remove-present';
      return attempt(api.PUT(path, { body, params }));
    }
    const body = { ...where, gift_id: id };
    if (by > 0) return attempt(api.PUT('/cart/gift/add', { body, params }));
    const path = count === 1 ? '/cart/gift/forget' : '/cart/gift/remove';
    return attempt(api.PUT(path, { body, params }));
  };
}

const noTaking: Taking = new Map();
const nothingUnderway = () => noTaking;
