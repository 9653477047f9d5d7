import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { Bike, ShoppingBag } from 'lucide-react';
import { keys } from '@/api/keys';
import type { Schema } from '@/api/types';
import { useCity } from '@/entities/city/context';
import { useClockAt } from '@/entities/city/use-clock-at';
import { OrderActions } from '@/entities/order/order-actions';
import { PaymentLink } from '@/entities/payment-state/payment-link';
import { useSite } from '@/entities/site/context';
import { formatClock, wallTime } from '@/lib/wall-time';
import { LabelChip } from '@/ui/chip';
import { Icon } from '@/ui/icon';
import { ButtonLink, Link } from '@/ui/link';
import { MoneyProvider } from '@/ui/money';
import { Price } from '@/ui/price';
import { Composition } from './composition';

type OrderBrief = Schema<'OrderBrief'>;

/** One order with its number, state, place, price, lines, and the buttons to pay, track, cancel or repeat it. */
export function OrderCard({ order }: { order: OrderBrief }) {
  const client = useQueryClient();
  const { enable_fractional_prices: fractional } = useSite();
  const { order_id: orderId, order_type: orderType, status, currency, total, payment } = order;
  const isWaiting = status.alias === 'waiting_for_payment';
  const tracking = `/${order.city_alias}/order/${orderId}/tracking`;
  return (
    <li className="rounded-card bg-surface p-4">
      <MoneyProvider currency={currency} fractional={fractional}>
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <h3 className="numeral strong">
            <Link look="plain" href={tracking}>
              <span className="inline-block py-0.5">
                <Trans id="common.order-number">Order no. {orderId}</Trans>
              </span>
            </Link>
          </h3>
          <LabelChip tone={toneOf(status.alias)}>{status.name}</LabelChip>
        </div>
        {/* With large letters the price goes below, before words would break. */}
        <div className="mt-2 flex flex-wrap items-start justify-end gap-x-4">
          <div className="flex min-w-0 grow basis-36 gap-2 text-ink-soft">
            <span className="pt-0.5">
              <Icon of={orderType === 'delivery' ? Bike : ShoppingBag} size="small" />
            </span>
            <Place order={order} />
          </div>
          <span className="strong">
            <Price amount={total} />
          </span>
        </div>
        <PaymentNote order={order} />
        <Composition orderId={orderId} count={order.count} />
        <div className="mt-3 flex flex-wrap gap-2 border-t border-line pt-3 empty:hidden">
          {isWaiting && payment?.order_cache_key && (
            <PaymentLink
              look="primary"
              size="small"
              cityAlias={order.city_alias}
              orderKey={payment.order_cache_key}
            >
              {payment.state === 'checking' ? (
                <Trans id="common.check-payment">Check the payment</Trans>
              ) : (
                <Trans id="common.pay-for-order">Pay for the order</Trans>
              )}
            </PaymentLink>
          )}
          {!status.final && !isWaiting && (
            <ButtonLink look="inviting" size="small" href={tracking}>
              <Trans id="profile.orders.where-is-it-now">Where is it now</Trans>
            </ButtonLink>
          )}
          <OrderActions
            order={order}
            inList
            onChange={() => void client.invalidateQueries({ queryKey: keys.orders.all() })}
          />
        </div>
      </MoneyProvider>
    </li>
  );
}

/** The message about the order's money, or until when the order can be paid; empty for other orders. */
function PaymentNote({ order: { status, payment, city_id: cityId } }: { order: OrderBrief }) {
  const city = useCity();
  const clockAt = useClockAt();
  if (!payment) return null;
  // Times are shown in the time zone of the page's city, so an order of another city shows no time.
  const waits = status.alias === 'waiting_for_payment' && cityId === city.id;
  const until = clockAt(payment.pay_until);
  return (
    <p className="mt-2 text-note empty:hidden">
      {payment.message ??
        (waits && (
          <Trans id="common.waiting-for-payment-until">Waiting for payment until {until}</Trans>
        ))}
    </p>
  );
}

/** The order's type, address and time of placing. An order in another city shows that city instead of the time. */
function Place({ order }: { order: OrderBrief }) {
  const { t } = useLingui();
  const city = useCity();
  const { order_type: orderType, address, city_id: cityId, city_name: cityName } = order;
  const isHere = cityId === city.id;
  const way =
    orderType === 'delivery'
      ? t({ id: 'common.delivery', message: 'Delivery' })
      : t({ id: 'common.takeaway', message: 'Takeaway' });
  const where = [isHere ? undefined : cityName, address].filter(Boolean).join(', ');
  // The time zone of another city is not known here.
  const clock = isHere ? formatClock(wallTime(order.created_at, city)) : undefined;
  return (
    <p className="min-w-0">
      {where ? `${way}: ${where}` : way}
      {clock && (
        <span className="block text-note">
          {t({ id: 'profile.orders.placed-at', message: `Placed at ${clock}` })}
        </span>
      )}
    </p>
  );
}

/** Returns the tone of the chip for a status. */
function toneOf(alias: Schema<'OrderStatusAlias'>) {
  if (alias === 'done') return 'good';
  if (alias === 'canceled') return 'quiet';
  return 'warn';
}
