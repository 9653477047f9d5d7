import { Trans, useLingui } from '@lingui/react/macro';
import { MapPin, Store } from 'lucide-react';
import type { OrderPlace } from '@/entities/place/place';
import { Button } from '@/ui/button';
import { Icon } from '@/ui/icon';
import { openModal } from '@/ui/modals/modal-store';

interface PlaceSummaryProps {
  place: OrderPlace;
  /** How late a pickup may be, in minutes. */
  lateMinutes: number;
}

/** The address or the shop of the order, with a button that changes it. */
export function PlaceSummary({ place, lateMinutes }: PlaceSummaryProps) {
  const { t } = useLingui();
  const { orderType, address, shop } = place;
  const isDelivery = orderType === 'delivery';
  const name = isDelivery ? address?.address : shop?.name;
  const note = isDelivery ? address?.city.name : shop?.address.street;
  const open = () => openModal('order-types', { orderType });
  if (!name) {
    return (
      <Button look="secondary" size="large" wide onClick={open}>
        {isDelivery
          ? t({
              id: 'checkout.summary.enter-delivery-address',
              message: 'Enter the delivery address',
            })
          : t({
              id: 'checkout.summary.choose-shop-to-pick-up',
              message: 'Choose a shop to pick up from',
            })}
      </Button>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      {/* With large letters the button goes below, before words would break. */}
      <div className="flex flex-wrap items-center justify-end gap-x-3">
        <div className="flex min-w-0 grow basis-36 items-center gap-3">
          <span className="text-accent-ink">
            <Icon of={isDelivery ? MapPin : Store} />
          </span>
          <p className="min-w-0">
            <span className="strong">{name}</span>
            {note && <span className="block text-note text-ink-soft">{note}</span>}
          </p>
        </div>
        <Button look="quiet" size="small" onClick={open}>
          <Trans id="checkout.change">Change</Trans>
        </Button>
      </div>
      {!isDelivery && lateMinutes > 0 && (
        <p className="text-note text-ink-soft">
          <Trans id="checkout.summary.keep-order-for-minutes-after">
            We keep the order for {lateMinutes} minutes after the chosen time, then it is canceled.
          </Trans>
        </p>
      )}
    </div>
  );
}
