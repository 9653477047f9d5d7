import { Trans, useLingui } from '@lingui/react/macro';
import { PhoneCall } from 'lucide-react';
import { useEffect } from 'react';
import { onServerClock } from '@/api/server-clock';
import type { Schema } from '@/api/types';
import { useBonusWords } from '@/entities/bonus/bonus-words';
import { PriceRows } from '@/entities/cart/cart-totals';
import { OrderLines } from '@/entities/cart/order-lines';
import { useCity } from '@/entities/city/context';
import { OrderActions } from '@/entities/order/order-actions';
import { isLate } from '@/entities/order/order-state';
import { usePageTitle } from '@/entities/site/page-title';
import { useLanguage } from '@/i18n/use-language';
import { callHref } from '@/lib/call-href';
import { formatDate, formatDayMonth, isoDate } from '@/lib/dates';
import { formatClock, wallTime } from '@/lib/wall-time';
import { Notice } from '@/ui/feedback/notice';
import { StatusSteps } from '@/ui/feedback/status-steps';
import { useNow } from '@/ui/hooks/use-now';
import { ButtonLink } from '@/ui/link';
import { BriefNote } from './brief-note';
import { CourierMap } from './courier-map';
import { OrderFacts } from './order-facts';
import { OrderMessages } from './order-messages';
import { PaymentNews } from './payment-news';
import { useAnnouncedStatus } from './use-announced-status';
import { useOrderFeed } from './use-order-feed';

/** On mount moves the focus to the button that repeats the order if the address ends in `#repeat`. */
function useFocusRepeatFromAddress(): void {
  useEffect(() => {
    if (location.hash === '#repeat') document.getElementById('repeat')?.focus();
  }, []);
}

/**
 * An order with its state, payment, steps, courier, buttons, facts and lines. It follows the state, announces
 * changes and sets the title of the document. When the address ends in `#repeat`, it focuses the button that
 * repeats the order.
 */
export function OrderView({ order }: { order: Schema<'Order'> }) {
  const { t } = useLingui();
  const { order_id: orderId, status, cart } = order;
  const city = useCity();
  const { phone } = city;
  const language = useLanguage();
  const { courier } = useOrderFeed(order);
  const now = useNow(!status.final);
  usePageTitle(
    t({ id: 'tracking.order-view.title', message: `${status.name} · order ${orderId}` }),
  );
  useAnnouncedStatus(status);
  useFocusRepeatFromAddress();

  const placedAt = wallTime(order.created_at, city);
  const momentAt = (at: string) => {
    const then = wallTime(at, city);
    const isToday = isoDate(then) === isoDate(wallTime(onServerClock(now), city));
    return isToday ? formatClock(then) : `${formatDayMonth(then, language)}, ${formatClock(then)}`;
  };
  const steps = status.steps.map(({ alias, name, reached_at: at }) => ({
    id: alias,
    name,
    reachedAt: at && momentAt(at),
  }));
  return (
    <div className="desktop:grid desktop:grid-cols-[minmax(0,1fr)_22rem] desktop:gap-10 print:block">
      <div className="flex flex-col gap-6">
        <header>
          <p className="text-ink-soft">
            <Trans id="common.order-number">Order no. {orderId}</Trans>
            {/* On the screen the steps say it. */}
            <span className="hidden print:inline">
              {` · ${formatDate(placedAt, language)}, ${formatClock(placedAt)}`}
            </span>
          </p>
          <h1 className="title text-display text-balance">{status.description}</h1>
        </header>
        <PaymentNews order={order} />
        {order.is_brief && <BriefNote />}
        {isLate(order, now) && <Late phone={phone} />}
        {status.alias !== 'canceled' && (
          <div className="print:hidden">
            <StatusSteps
              steps={steps}
              current={status.alias}
              isFinished={status.alias === 'done'}
            />
          </div>
        )}
        {courier && <CourierMap order={order} courier={courier} now={now} />}
        <div className="flex flex-wrap gap-2 print:hidden">
          <OrderActions order={order} />
          {!status.final && <OrderMessages orderId={orderId} />}
          <ButtonLink look="secondary" href={callHref(phone)}>
            <PhoneLabel phone={phone} />
          </ButtonLink>
        </div>
        <OrderFacts order={order} />
      </div>
      <section
        aria-labelledby="ordered"
        className="mt-8 flex flex-col gap-3 rounded-card bg-surface p-4 desktop:mt-0 desktop:self-start desktop:p-5 print:mt-6 print:p-0"
      >
        <h2 id="ordered" className="title text-lead">
          <Trans id="common.your-order">Your order</Trans>
        </h2>
        <OrderLines products={cart.products} packages={cart.packages} gifts={cart.gifts} />
        <div className="border-t border-line pt-3">
          <PriceRows
            prices={cart.prices}
            isDelivered={order.order_type === 'delivery'}
            promocode={cart.promocode}
          />
        </div>
        <Accrual order={order} />
      </section>
    </div>
  );
}

/** The bonuses for the order; nothing when there are none or the order is canceled. */
function Accrual({ order: { cart, status } }: { order: Schema<'Order'> }) {
  const { t } = useLingui();
  const bonuses = useBonusWords()(cart.prices.upcoming_bonuses);
  if (cart.prices.upcoming_bonuses <= 0 || status.alias === 'canceled') return null;
  return (
    <p className="text-note text-good">
      {status.alias === 'done'
        ? t({ id: 'tracking.order-view.bonuses-got', message: `You got ${bonuses} for it` })
        : t({
            id: 'tracking.order-view.bonuses-to-come',
            message: `You will get ${bonuses} for it`,
          })}
    </p>
  );
}

/** A phone number with an icon. */
function PhoneLabel({ phone }: { phone: string }) {
  return (
    <>
      <PhoneCall aria-hidden="true" className="size-5" />
      {phone}
    </>
  );
}

/** The apology that the order takes longer than was promised, with a button that calls. */
function Late({ phone }: { phone: string }) {
  return (
    <Notice
      tone="warn"
      title={
        <Trans id="tracking.order-view.taking-longer-than-promised">
          It is taking longer than we promised
        </Trans>
      }
      action={
        <ButtonLink look="secondary" size="small" href={callHref(phone)}>
          <Trans id="common.call">Call {phone}</Trans>
        </ButtonLink>
      }
    >
      <Trans id="tracking.order-view.sorry-for-wait">
        We are sorry for the wait. Your order is being seen to; call us if you have questions.
      </Trans>
    </Notice>
  );
}
