import { Trans } from '@lingui/react/macro';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import type { ModalParams } from '@/ui/modals/modal-names';
import { Sheet } from '@/ui/sheet';
import { isStopped } from './shop-search';

/**
 * The question whether to choose a shop that is closed now. For a stopped shop only the text that it takes no
 * orders.
 */
export default function ConfirmShop({ shop, onConfirm }: ModalParams['confirm-shop']) {
  const { name, address, open_state: state, alert } = shop;
  if (isStopped(shop)) {
    return (
      <Sheet size="small" title={name}>
        <p>
          {alert || (
            <Trans id="place.shops.shop-takes-no-orders-now">
              This shop takes no orders now. Choose another one.
            </Trans>
          )}
        </p>
      </Sheet>
    );
  }
  return (
    <ConfirmDialog
      title={name}
      confirmLabel={<Trans id="place.shops.choose-shop">Choose the shop</Trans>}
      cancelLabel={<Trans id="place.shops.another-shop">Another shop</Trans>}
      onConfirm={onConfirm}
    >
      <p>{address.street}</p>
      <p className="mt-2 text-warn">{state.text}</p>
      {alert && <p className="mt-1 text-warn">{alert}</p>}
      <p className="mt-2">
        <Trans id="place.shops.can-order-now-for-time">
          You can order now for a time when it works.
        </Trans>
      </p>
    </ConfirmDialog>
  );
}
