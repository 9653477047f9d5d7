import { Trans, useLingui } from '@lingui/react/macro';
import { useChangeCart } from '@/entities/cart/queries';
import { ConfirmDialog } from '@/ui/confirm-dialog';

/** Asks before everything is taken out of the cart. */
export default function ConfirmEmptyCart() {
  const { t } = useLingui();
  const { clear } = useChangeCart();
  return (
    <ConfirmDialog
      title={t`Empty the cart?`}
      confirmLabel={t`Empty the cart`}
      cancelLabel={t`Keep it`}
      danger
      onConfirm={clear}
    >
      <Trans>All dishes with what you chose for them will be removed.</Trans>
    </ConfirmDialog>
  );
}
