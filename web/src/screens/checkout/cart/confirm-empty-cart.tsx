import { Trans, useLingui } from '@lingui/react/macro';
import { api } from '@/api/client';
import { attempt } from '@/api/result';
import { useCartSession } from '@/entities/cart/queries';
import { ConfirmDialog } from '@/ui/confirm-dialog';

/** The question before the cart is emptied. */
export default function ConfirmEmptyCart() {
  const { t } = useLingui();
  const { outbox, cityId, announceTotal } = useCartSession();
  const clear = () => {
    outbox.dropWaiting();
    const query = { city_id: cityId };
    outbox.post((header) => attempt(api.DELETE('/cart/clear', { params: { query, header } })), {
      onAccepted: announceTotal,
    });
  };
  return (
    <ConfirmDialog
      title={t({ id: 'checkout.cart.empty-question', message: 'Empty the cart?' })}
      confirmLabel={t({ id: 'checkout.cart.empty', message: 'Empty the cart' })}
      cancelLabel={t({ id: 'common.keep-it', message: 'Keep it' })}
      danger
      onConfirm={clear}
    >
      <Trans id="checkout.cart.all-dishes-with-what-chose">
        All dishes with what you chose for them will be removed.
      </Trans>
    </ConfirmDialog>
  );
}
