import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Schema } from '@/api/types';
import { classes } from '@/ui/classes';
import { useMoney } from '@/ui/money';
import { Price } from '@/ui/price';
import { useCart } from './queries';

/** What the order costs, by the server's own sums: dimmed, not gone, while a change is on its way. */
export function CartTotals() {
  const { cart, isChanging } = useCart();
  if (!cart) return null;
  return (
    <div className={classes('transition-opacity', isChanging && 'opacity-60')}>
      {cart.minimum && <Minimum minimum={cart.minimum} />}
      <PriceRows prices={cart.prices} />
    </div>
  );
}

/** The parts of a price that are not nothing, and their total. */
export function PriceRows({ prices }: { prices: Schema<'Prices'> }) {
  const { subtotal, delivery, packages, discount, bonuses, total } = prices;
  const hasParts = total !== subtotal;
  return (
    <dl className="flex flex-col gap-1">
      {hasParts && <Row name={<Trans>Dishes</Trans>} amount={subtotal} />}
      <Row name={<Trans>Delivery</Trans>} amount={delivery} />
      <Row name={<Trans>Packaging</Trans>} amount={packages} />
      <Row name={<Trans>Discount</Trans>} amount={-discount} />
      <Row name={<Trans>Bonuses</Trans>} amount={-bonuses} />
      <div className="flex items-baseline justify-between gap-3 pt-1 text-lead strong">
        <dt>
          <Trans>Total</Trans>
        </dt>
        <dd>
          <Price amount={total} column />
        </dd>
      </div>
    </dl>
  );
}

/** A part of the total; nothing when it is nothing. */
function Row({ name, amount }: { name: ReactNode; amount: number }) {
  if (amount === 0) return null;
  return (
    <div className="flex items-baseline justify-between gap-3 text-ink-soft">
      <dt>{name}</dt>
      <dd>
        <Price amount={amount} column />
      </dd>
    </div>
  );
}

/** What is missing for the minimum order or for free delivery, in words and as a calm line. */
function Minimum({ minimum }: { minimum: Schema<'Minimum'> }) {
  const money = useMoney();
  const missing = money(minimum.missing);
  const amount = money(minimum.amount);
  return (
    <div className="pb-3">
      <p className="text-note">
        {minimum.kind === 'order' ? (
          <Trans>
            {missing} more to the minimum order of {amount}
          </Trans>
        ) : (
          <Trans>{missing} more and delivery is free</Trans>
        )}
      </p>
      <progress
        aria-hidden="true"
        max={minimum.amount}
        value={minimum.amount - minimum.missing}
        className="mt-1.5 block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-raised [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-raised [&::-webkit-progress-value]:bg-accent"
      />
    </div>
  );
}
