import { Trans } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import { useMoney } from '@/ui/money';

/** The dish's prices for delivery and for takeaway, where they differ. */
export function OrderTypePrices({ prices }: { prices?: Schema<'OrderTypePrices'> }) {
  const money = useMoney();
  if (!prices) return null;
  const delivery = money(prices.delivery);
  const takeaway = money(prices.takeaway);
  return (
    <p className="flex flex-wrap gap-x-3 text-note text-ink-soft">
      <span className="whitespace-nowrap">
        <Trans id="product.order-type-prices.delivery">Delivery {delivery}</Trans>
      </span>
      <span className="whitespace-nowrap">
        <Trans id="product.order-type-prices.takeaway">Takeaway {takeaway}</Trans>
      </span>
    </p>
  );
}
