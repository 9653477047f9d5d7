import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Schema } from '@/api/types';
import { useCity } from '@/entities/city/context';
import { classes } from '@/ui/classes';
import { Skeleton } from '@/ui/feedback/skeleton';
import { useMoney } from '@/ui/money';
import { Price } from '@/ui/price';
import { VisuallyHidden } from '@/ui/visually-hidden';
import { useOrderChanges } from './acknowledged/use-order-changes';
import { NextGift } from './gifts/next-gift';
import { useCart } from './queries';
import { isUnpriced } from './rules';

/**
 * The sums of the cart as the server computes them, what is missing for a minimum, and the next gift; dimmed
 * while a change is sent. A skeleton until the first dishes have a price.
 */
export function CartTotals() {
  const { cart, count, isChanging } = useCart();
  const { changes } = useOrderChanges();
  if (!cart) return null;
  if (isUnpriced(cart, count))
    return (
      <div aria-busy="true">
        <Skeleton shape="line" />
      </div>
    );
  const delivery = changes.find((change) => change.kind === 'delivery');
  return (
    <div aria-busy={isChanging} className={classes(isChanging && 'outdated')}>
      {cart.minimum && <Minimum minimum={cart.minimum} />}
      <NextGift />
      <PriceRows
        prices={cart.prices}
        isDelivered={cart.order_type === 'delivery' && cart.delivery_address?.delivery_possible}
        oldDelivery={delivery?.before}
        promocode={cart.promocode?.code}
      />
      <TaxNote />
    </div>
  );
}

/** Says that the total contains all taxes, which German law requires beside the order button (§ 6 PAngV). */
function TaxNote() {
  const { country } = useCity();
  if (country.code !== 'DE') return null;
  return (
    <p className="text-end text-note text-ink-soft">
      <Trans id="cart.totals.including-vat">including VAT</Trans>
    </p>
  );
}

interface PriceRowsProps {
  prices: Schema<'Prices'>;
  /** Whether the order goes to an address that is delivered to; then delivery is shown even when it is free. */
  isDelivered?: boolean;
  /** What delivery cost before, while the customer has not agreed to the new price. */
  oldDelivery?: number;
  /** The code that the discount comes from. */
  promocode?: string;
}

/**
 * The parts of a price and their total. A part of zero is left out, except delivery to an address in a zone; without
 * such an address the sum of the dishes is left out too when it equals the total.
 */
export function PriceRows({ prices, isDelivered, oldDelivery, promocode }: PriceRowsProps) {
  const { t } = useLingui();
  const { subtotal, delivery, packages, discount, bonuses, total } = prices;
  const hasParts = total !== subtotal || isDelivered;
  const discountName = promocode
    ? t({ id: 'cart.totals.discount-by-promocode', message: `Promo code ${promocode}` })
    : t({ id: 'cart.totals.discount', message: 'Discount' });
  return (
    <dl className="flex flex-col gap-1">
      {hasParts && <Row name={<Trans id="cart.totals.dishes">Dishes</Trans>} amount={subtotal} />}
      <Row
        name={<Trans id="common.delivery">Delivery</Trans>}
        amount={delivery}
        oldAmount={oldDelivery}
        isFree={isDelivered && delivery === 0}
      />
      <Row name={<Trans id="cart.totals.packaging">Packaging</Trans>} amount={packages} />
      <Row name={discountName} amount={-discount} />
      <Row name={<Trans id="common.bonuses">Bonuses</Trans>} amount={-bonuses} />
      <div className="flex items-baseline justify-between gap-3 pt-1 text-lead strong">
        <dt>
          <Trans id="common.total">Total</Trans>
        </dt>
        <dd>
          <Price amount={total} />
        </dd>
      </div>
    </dl>
  );
}

interface RowProps {
  name: ReactNode;
  amount: number;
  /** The amount that the customer last agreed to. */
  oldAmount?: number;
  /** Shows an amount of zero as "free". */
  isFree?: boolean;
}

/** A part of the total; nothing when it is zero and not free. */
function Row({ name, amount, oldAmount, isFree = false }: RowProps) {
  const money = useMoney();
  if (amount === 0 && !isFree) return null;
  return (
    <div className="flex items-baseline justify-between gap-3 text-ink-soft">
      <dt className="min-w-0">{name}</dt>
      <dd className="whitespace-nowrap">
        {oldAmount !== undefined && (
          <>
            <VisuallyHidden>
              <Trans id="cart.totals.before">before:</Trans>{' '}
            </VisuallyHidden>
            <del className="numeral me-2 text-note">{money(oldAmount)}</del>
          </>
        )}
        {isFree ? <Trans id="common.free">free</Trans> : <Price amount={amount} />}
      </dd>
    </div>
  );
}

/** The sum that is missing for the minimum order or for free delivery, as a text and a bar. */
function Minimum({ minimum }: { minimum: Schema<'Minimum'> }) {
  const money = useMoney();
  const missing = money(minimum.missing);
  const amount = money(minimum.amount);
  return (
    <div className="pb-3">
      <p className="text-note">
        {minimum.kind === 'order' ? (
          <Trans id="cart.totals.more-to-minimum-order-of">
            {missing} more to the minimum order of {amount}
          </Trans>
        ) : (
          <Trans id="cart.totals.more-and-delivery-free">{missing} more and delivery is free</Trans>
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
