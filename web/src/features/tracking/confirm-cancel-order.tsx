import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import type { ModalParams } from '@/ui/modals/modal-names';

/** Asks before an order is canceled, which cannot be taken back. */
export default function ConfirmCancelOrder({
  orderId,
  onConfirm,
}: ModalParams['confirm-cancel-order']) {
  const [isBusy, setBusy] = useState(false);
  return (
    <ConfirmDialog
      title={<Trans>Cancel order no. {orderId}?</Trans>}
      confirmLabel={<Trans>Cancel the order</Trans>}
      cancelLabel={<Trans>Keep it</Trans>}
      danger
      busy={isBusy}
      onConfirm={() => {
        setBusy(true);
        return onConfirm();
      }}
    >
      <p>
        <Trans>We have not begun to cook it yet. You pay nothing.</Trans>
      </p>
    </ConfirmDialog>
  );
}
