import { api } from '@/api/client';
import { idempotency } from '@/api/idempotency';
import { keys } from '@/api/keys';
import { attempt, type Failure } from '@/api/result';
import type { Schema } from '@/api/types';
import { storeCart, useCartSession } from '@/entities/cart/queries';
import { findExtraCost } from './rules';

/** The outcome of applying a code: why it was refused, or by how much it has raised the total, and the total. */
export type Applied =
  | { failure: Failure }
  | { failure?: undefined; extraCost: number; total: number };

/** Returns the functions that apply a promocode and bonuses to the cart. */
export function useOffers() {
  const { client, cityId, outbox, whereNow, announceTotal } = useCartSession();
  return {
    /** Applies a code to the cart once the earlier changes have been sent. */
    async applyPromocode(
      promocode: string,
      solved: { captcha_user_token?: string } = {},
    ): Promise<Applied> {
      const params = { header: idempotency() };
      const body = { ...whereNow(), promocode, ...solved };
      await outbox.settle();
      const before = client.getQueryData<Schema<'Cart'>>(keys.cart(cityId));
      const result = await outbox.serialize(() =>
        attempt(api.PUT('/cart/gift/apply-promocode', { body, params })),
      );
      if (result.kind !== 'ok') {
        if (result.kind === 'conflict' && result.cart) storeCart(client, result.cart);
        return { failure: result };
      }
      const { cart } = result.data;
      storeCart(client, cart);
      return { extraCost: findExtraCost(before, cart), total: cart.prices.total };
    },
    /** Removes the code from the cart. */
    forgetPromocode(onDecided: () => void) {
      const body = whereNow();
      outbox.post(
        (header) => attempt(api.PUT('/cart/gift/forget-promocode', { body, params: { header } })),
        { onAccepted: announceTotal, onDecided },
      );
    },
    /** Pays with at most this many bonuses; 0 switches them off. */
    applyBonuses(bonuses: number, onDecided: () => void) {
      const body = { ...whereNow(), bonuses };
      outbox.post(
        (header) => attempt(api.PUT('/cart/gift/apply-bonuses', { body, params: { header } })),
        { onAccepted: announceTotal, onDecided },
      );
    },
  };
}
