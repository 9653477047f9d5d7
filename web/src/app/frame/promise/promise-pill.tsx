import { Trans, useLingui } from '@lingui/react/macro';
import { Bike, ChevronDown, ShoppingBag } from 'lucide-react';
import type { Schema } from '@/api/types';
import { useCity } from '@/entities/city/context';
import { useIntervalWords } from '@/entities/intervals/interval-words';
import { useTimes } from '@/entities/intervals/use-times';
import { isPlaceChosen, type OrderPlace, usePlace } from '@/entities/place/place';
import { Icon } from '@/ui/icon';
import { openModal } from '@/ui/modals/modal-store';
import { promisedTime } from './promised-time';

/** How often the promise is asked for again while somebody reads the menu, in milliseconds. */
const promiseRefresh = 5 * 60_000;

/** Says in one line how, where and when an order would come, or that no orders are taken. A press changes the place. */
export function PromisePill() {
  const place = usePlace();
  const isStopped = useCity().type === 'stop';
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={() => openModal('order-types', { orderType: place.orderType })}
      className="flex min-h-11 w-full min-w-0 items-center gap-1.5 rounded-control bg-tint px-2.5 text-start text-on-tint hover:brightness-97"
    >
      <Icon of={place.orderType === 'delivery' ? Bike : ShoppingBag} />
      <span className="flex min-w-0 flex-1 whitespace-pre">
        {isStopped ? (
          <NoOrders />
        ) : isPlaceChosen(place) ? (
          <PromiseOf place={place} />
        ) : (
          <Invitation />
        )}
      </span>
      <Icon of={ChevronDown} size="small" />
    </button>
  );
}

const NoOrders = () => (
  <span className="whitespace-normal">
    <Trans id="common.no-orders-now">No orders now</Trans>
  </span>
);

/** Asks where the order goes while no place is chosen. */
function Invitation() {
  const { t } = useLingui();
  const { delivery, takeaway } = useCity().order_types;
  const which =
    delivery && takeaway
      ? t({ id: 'app.frame.delivery-or-takeaway', message: 'Delivery or takeaway?' })
      : undefined;
  const where = delivery
    ? t({ id: 'app.frame.where-shall-deliver', message: 'Where shall we deliver?' })
    : t({ id: 'app.frame.where-pick-up', message: 'Where will you pick it up?' });
  return <span className="leading-tight whitespace-normal">{which ?? where}</span>;
}

/** How soon and for how much a chosen place is served. */
function PromiseOf({ place }: { place: OrderPlace }) {
  const isDelivery = place.orderType === 'delivery';
  const where = isDelivery ? place.address?.address : place.shop?.name;
  const { times, chosen, isChanging } = useTimes({ refetchInterval: promiseRefresh });
  const promised = times && promisedTime(times, chosen);
  return (
    <>
      <span data-shortened className="truncate">
        <span className="strong">
          {isDelivery ? (
            <Trans id="common.delivery">Delivery</Trans>
          ) : (
            <Trans id="common.takeaway">Takeaway</Trans>
          )}
        </span>
        {` · ${where}`}
      </span>
      {/* A long address is cut short, the time never. It is not dimmed while it changes: on a tint it could not be read. */}
      {promised && (
        <span className="shrink-0" aria-busy={isChanging}>
          {' · '}
          {promised.kind === 'minutes' ? (
            <Minutes {...promised} />
          ) : (
            <IntervalTime interval={promised.interval} />
          )}
        </span>
      )}
    </>
  );
}

const IntervalTime = ({ interval }: { interval: Schema<'Interval'> }) =>
  useIntervalWords()(interval).brief;

function Minutes({ from, to }: { from: number; to: number }) {
  return (
    <Trans id="app.frame.minutes-between">
      {from}–{to} min
    </Trans>
  );
}
