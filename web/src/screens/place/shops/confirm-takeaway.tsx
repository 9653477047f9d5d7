import { Trans } from '@lingui/react/macro';
import { useIntervalWords } from '@/entities/intervals/interval-words';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import type { ModalParams } from '@/ui/modals/modal-names';

/** The question before the order moves to a shop where some dishes or the chosen time are not available. */
export default function ConfirmTakeaway({
  shopName,
  losses: { products, time },
  onConfirm,
}: ModalParams['confirm-takeaway']) {
  const words = useIntervalWords();
  const when = time && words(time).name;
  return (
    <ConfirmDialog
      title={<Trans id="place.shops.pick-order-up-at">Pick the order up at {shopName}?</Trans>}
      confirmLabel={<Trans id="place.shops.pick-up">Pick it up</Trans>}
      cancelLabel={<Trans id="place.shops.leave-as-it-is">Leave as it is</Trans>}
      onConfirm={onConfirm}
    >
      {products.length > 0 && (
        <>
          <p>
            <Trans id="place.shops.these-dishes-not-sold">
              These dishes are not sold there and will wait in the cart:
            </Trans>
          </p>
          <ul className="mt-1 list-disc ps-5">
            {products.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </>
      )}
      {when && (
        <p className="mt-2">
          <Trans id="place.shops.time-not-available">
            {when} is not available there. You will need to choose another time.
          </Trans>
        </p>
      )}
    </ConfirmDialog>
  );
}
