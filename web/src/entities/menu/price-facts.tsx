import { Trans } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import { useMoney } from '@/ui/money';

/**
 * The facts that a country requires beside a price: deposit, price of a unit, lowest price of 30 days; nothing
 * for none.
 */
export function PriceFacts({ product }: { product: Schema<'Product'> }) {
  const money = useMoney();
  const { deposit = 0, unit_price: unit, lowest_price: lowest = 0 } = product;
  if (!deposit && !unit && !lowest) return null;
  const amount = money(deposit);
  const least = money(lowest);
  return (
    <span className="flex flex-col text-note text-ink-soft">
      {deposit > 0 && (
        <span>
          <Trans id="menu.price-facts.deposit">plus {amount} deposit</Trans>
        </span>
      )}
      {unit && <span>{`${money(unit.amount)} / ${unit.unit}`}</span>}
      {lowest > 0 && (
        <span>
          <Trans id="menu.price-facts.lowest">Lowest price in 30 days: {least}</Trans>
        </span>
      )}
    </span>
  );
}
