import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { readLastOrder } from '@/entities/order/last-order';
import { ButtonLink } from '@/ui/link';
import { Sheet } from '@/ui/sheet';
import { LookUpForm } from './look-up-form';

/** Returns the path of an order's tracking page. */
const trackingPath = (cityAlias: string, orderId: number) =>
  `/${cityAlias}/order/${orderId}/tracking`;

/**
 * The dialog with a link to the last order of this device, and the form that finds an order and leads to its
 * page.
 */
export default function OrderStatusDialog() {
  const { t } = useLingui();
  const [, navigate] = useLocation();
  const [last] = useState(readLastOrder);
  return (
    <Sheet title={<Trans id="common.where-my-order">Where is my order</Trans>} size="small">
      {last && (
        <div className="mb-5">
          <ButtonLink look="secondary" wide href={trackingPath(last.cityAlias, last.orderId)}>
            {t({
              id: 'tracking.order-status.last-order',
              message: `Your last order, no. ${last.orderId}`,
            })}
          </ButtonLink>
          <p className="mt-5 text-note text-ink-soft">
            <Trans id="tracking.order-status.or-another-one">Or another one:</Trans>
          </p>
        </div>
      )}
      <LookUpForm
        onFound={({ orderId, cityAlias }) => navigate(trackingPath(cityAlias, orderId))}
      />
    </Sheet>
  );
}
