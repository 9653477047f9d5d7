import { api } from '@/api/client';
import { idempotency } from '@/api/idempotency';
import { attempt, type Failure } from '@/api/result';
import { takeCart, useCartDesk } from '../queries';

/** What makes an order cheaper: a promocode, bonuses. */
export function useOffers() {
  const { client, outbox, where, tellTotal } = useCartDesk();
  return {
    /** Applies a code to the cart with all that was done to it; answers why not. */
    async applyPromocode(promocode: string): Promise<Failure | undefined> {
      const params = { header: idempotency() };
      const body = { ...where, promocode };
      await outbox.settle();
      const result = await outbox.inTurn(() =>
        attempt(api.PUT('/cart/gift/apply-promocode', { body, params })),
      );
      if (result.kind === 'ok') takeCart(client, result.data.cart);
      else if (result.kind === 'conflict' && result.cart) takeCart(client, result.cart);
      return result.kind === 'ok' ? undefined : result;
    },
    /** Takes the code out of the cart. */
    forgetPromocode(onDecided: () => void) {
      outbox.post(
        (header) =>
          attempt(api.PUT('/cart/gift/forget-promocode', { body: where, params: { header } })),
        { onAccepted: tellTotal, onDecided },
      );
    },
    /** Pays with at most so many bonuses; with none for 0. */
    applyBonuses(bonuses: number, onDecided: () => void) {
      const body = { ...where, bonuses };
      outbox.post(
        (header) => attempt(api.PUT('/cart/gift/apply-bonuses', { body, params: { header } })),
        { onAccepted: tellTotal, onDecided },
      );
    },
  };
}
