import { Trans, useLingui } from '@lingui/react/macro';
import { Bike, ChevronDown, ShoppingBag } from 'lucide-react';
import { useCity } from '@/entities/city/context';
import { useMapTiles } from '@/entities/city/use-map-tiles';
import { isPlaceChosen, type OrderPlace, usePlace } from '@/entities/place/place';
import { Icon } from '@/ui/icon';
import { startMapFile } from '@/ui/map/map-file';
import { openModal } from '@/ui/modals/modal-store';
import { OrderTypeName, PromisedTime } from './promise-words';

/**
 * The button that shows order type, place and promised time in one line; an invitation while no place is chosen,
 * or that the city takes no orders. A press opens the choice of the place.
 */
export function PromisePill() {
  const place = usePlace();
  const isStopped = useCity().type === 'stop';
  const { file } = useMapTiles();
  const open = () => {
    // The dialog shows a map, whose file begins to load beside the code of both.
    if (file) startMapFile(file);
    openModal('order-types', { orderType: place.orderType });
  };
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={open}
      className="flex min-h-11 w-full min-w-0 items-center gap-1.5 rounded-control bg-tint px-2.5 text-start text-on-tint hover:brightness-97"
    >
      <Icon of={place.orderType === 'delivery' ? Bike : ShoppingBag} />
      <span className="flex min-w-0 flex-1 flex-wrap whitespace-pre">
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

/** The text that no orders are taken. */
const NoOrders = () => (
  <span className="whitespace-normal">
    <Trans id="common.no-orders-now">No orders now</Trans>
  </span>
);

/** The question where the order goes. */
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

/** The chosen place with its promised time; no time while none is available. */
function PromiseOf({ place }: { place: OrderPlace }) {
  const where = place.orderType === 'delivery' ? place.address?.address : place.shop?.name;
  return (
    <>
      <span data-shortened className="max-w-max grow basis-16 truncate">
        <span className="strong">
          <OrderTypeName />
        </span>
        {` · ${where}`}
      </span>
      <PromisedTime before=" · " />
    </>
  );
}
