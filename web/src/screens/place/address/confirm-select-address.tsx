import { Trans } from '@lingui/react/macro';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import type { ModalParams } from '@/ui/modals/modal-names';

/** Asks before the order goes to a saved address where the visitor may not mean it to go. */
export default function ConfirmSelectAddress({
  address,
  reason,
  onConfirm,
}: ModalParams['confirm-select-address']) {
  return (
    <ConfirmDialog
      title={<Trans>Deliver to this address?</Trans>}
      confirmLabel={<Trans>Deliver there</Trans>}
      cancelLabel={<Trans>Another address</Trans>}
      onConfirm={onConfirm}
    >
      <p className="strong">{address.full_address}</p>
      <p className="mt-2">
        {reason === 'other-city' ? (
          <Trans>It is in {address.city.name}: the menu and the cart of that city will open.</Trans>
        ) : (
          <Trans>It is more than 500 m away from where you are now.</Trans>
        )}
      </p>
    </ConfirmDialog>
  );
}
