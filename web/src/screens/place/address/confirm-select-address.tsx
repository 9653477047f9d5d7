import { Trans } from '@lingui/react/macro';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import type { ModalParams } from '@/ui/modals/modal-names';

/** The question before a saved address is chosen that is in another city or far from the visitor. */
export default function ConfirmSelectAddress({
  address,
  reason,
  onConfirm,
}: ModalParams['confirm-select-address']) {
  return (
    <ConfirmDialog
      title={<Trans id="place.address.deliver-to-address">Deliver to this address?</Trans>}
      confirmLabel={<Trans id="place.address.deliver-there">Deliver there</Trans>}
      cancelLabel={<Trans id="place.another-address">Another address</Trans>}
      onConfirm={onConfirm}
    >
      <p className="strong">{address.full_address}</p>
      <p className="mt-2">
        {reason === 'other-city' ? (
          <Trans id="place.address.in-another-city">
            It is in {address.city.name}: the menu and the cart of that city will open.
          </Trans>
        ) : (
          <Trans id="place.address.more-than-500-m-away">
            It is more than 500 m away from where you are now.
          </Trans>
        )}
      </p>
    </ConfirmDialog>
  );
}
