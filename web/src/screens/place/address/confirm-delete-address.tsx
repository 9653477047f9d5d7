import { Trans } from '@lingui/react/macro';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import type { ModalParams } from '@/ui/modals/modal-names';

/** The question before a saved address is deleted. */
export default function ConfirmDeleteAddress({
  address,
  onConfirm,
}: ModalParams['confirm-delete-address']) {
  return (
    <ConfirmDialog
      title={<Trans id="place.address.delete-address">Delete the address?</Trans>}
      confirmLabel={<Trans id="place.address.delete">Delete</Trans>}
      danger
      onConfirm={onConfirm}
    >
      {address}
    </ConfirmDialog>
  );
}
