import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import type { ModalParams } from '@/ui/modals/modal-names';

/** Asks before a saved address is forgotten. */
export default function ConfirmDeleteAddress({
  address,
  onConfirm,
}: ModalParams['confirm-delete-address']) {
  const [isBusy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    await onConfirm();
  };
  return (
    <ConfirmDialog
      title={<Trans>Delete the address?</Trans>}
      confirmLabel={<Trans>Delete</Trans>}
      danger
      onConfirm={confirm}
      busy={isBusy}
    >
      {address.full_address}
    </ConfirmDialog>
  );
}
