import { Trans } from '@lingui/react/macro';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import type { ModalParams } from '@/ui/modals/modal-names';

/** Asks before another city is opened while there is something in the cart, which stays behind. */
export default function ConfirmOtherCity({
  city: { where },
  here,
  onConfirm,
}: ModalParams['confirm-other-city']) {
  return (
    <ConfirmDialog
      title={<Trans id="place.address.order-in-city-question">Order {where}?</Trans>}
      confirmLabel={<Trans id="place.address.order-there">Order there</Trans>}
      cancelLabel={<Trans id="place.address.stay-here">Stay here</Trans>}
      onConfirm={onConfirm}
    >
      <Trans id="place.address.cart-stays">
        The dishes in your cart stay {here}. The menu and the cart {where} are separate.
      </Trans>
    </ConfirmDialog>
  );
}
