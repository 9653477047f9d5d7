import { api } from '@/api/client';
import { idempotency } from '@/api/idempotency';
import { keys } from '@/api/keys';
import { attempt, type Failure } from '@/api/result';
import { repeatLost, repeatUntilKnown } from '@/api/retry';
import type { Schema } from '@/api/types';
import { storeCart, useCartSession } from '@/entities/cart/queries';
import { longestWait, settlesWithin } from '@/entities/cart/settles-within';
import { findExtraCost } from './rules';

/** The outcome of applying a code: why it was refused, or by how much it has raised the total, and the total. */
export type Applied =
  | { failure: Failure }
  | { failure?: undefined; extraCost: number; total: number };

/** Returns the functions that apply a promocode and bonuses to the cart. */
export function useOffers() {
  const { client, cityId, outbox, whereNow, announceTotal } = useCartSession();
  return {
    /** Applies a code to the cart once the earlier changes have been sent; not when that takes too long. */
    async applyPromocode(
      promocode: string,
      solved: { captcha_user_token?: string } = {},
    ): Promise<Applied> {
      const params = { header: idempotency() };
      const body = { ...whereNow(), promocode, ...solved };
      if (!(await settlesWithin(() => outbox.settle(), longestWait))) {
        return { failure: { kind: 'offline' } };
      }
      const cartNow = () => client.getQueryData<Schema<'Cart'>>(keys.cart(cityId));
      const before = cartNow();
      const send = () => attempt(api.PUT('/cart/gift/apply-promocode', { body, params }));
      const result = await outbox.serialize(() => repeatUntilKnown(send, { policy: repeatLost }));
      const describe = (cart: Schema<'Cart'>): Applied => ({
        extraCost: findExtraCost(before, cart),
        total: cart.prices.total,
      });
      if (result.kind === 'ok') {
        const { cart } = result.data;
        storeCart(client, cart);
        return describe(cart);
      }
      if (result.kind === 'conflict' && result.cart) storeCart(client, result.cart);
      if (isUndecided(result)) {
        // The code may have been applied although the answer was lost.
        await client.invalidateQueries({ queryKey: keys.cart(cityId) });
        const cart = cartNow();
        if (cart?.promocode) return describe(cart);
      }
      return { failure: result };
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

/** Reports whether a failure leaves open what the server has done. */
const isUndecided = ({ kind }: Failure) => ['offline', 'unavailable', 'server'].includes(kind);
