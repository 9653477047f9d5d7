import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Clock } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useOrderChanges } from '@/features/cart/agreed/use-order-changes';
import { usePlace } from '@/features/city/place';
import { Button } from '@/ui/button';
import { openModal } from '@/ui/modals/modal-store';
import { Skeleton } from '@/ui/skeleton';
import { useSettled } from '@/ui/use-settled';
import { useCart, useChangeCart } from '../queries';
import { IntervalButton } from './interval-button';
import { intervalsQuery } from './queries';
import { isGone, nearestOf, soonestOf } from './rules';

/** How long the place has to rest before its times are asked for, in milliseconds. */
const placeRest = 1000;

/**
 * The nearest times of the order, two on phones and three on desktop, and a way to all of them. A
 * chosen time that is no longer offered is taken back; the notice of changes asks for another one.
 * Who has chosen nothing yet gets the soonest time when the shop works now: that is what most people
 * want. Who has lost a time gets none without a tap.
 */
export function NearestIntervals() {
  const place = useSettled(usePlace(), placeRest);
  const { cart } = useCart();
  const { setInterval } = useChangeCart();
  const { data, isPending, isError, refetch } = useQuery(intervalsQuery(place));
  const chosen = cart?.interval;
  const gone = data && isGone(chosen, data) ? chosen?.id : undefined;
  const told = useRef<string>(undefined);
  useEffect(() => {
    if (gone === undefined || told.current === gone) return;
    told.current = gone;
    setInterval(undefined);
  }, [gone, setInterval]);

  const isLost = useOrderChanges().changes.some(({ kind }) => kind === 'time');
  const isOpen = cart && !chosen && !isLost;
  const soonest = isOpen && data ? soonestOf(data.intervals) : undefined;
  const preset = useRef(false);
  useEffect(() => {
    if (soonest === undefined || told.current !== undefined || preset.current) return;
    preset.current = true;
    setInterval(soonest);
  }, [soonest, setInterval]);

  const all = (
    <Button look="quiet" size="small" icon={Clock} onClick={() => openModal('intervals')}>
      <Trans>Another time</Trans>
    </Button>
  );
  if (isError) {
    return (
      <p className="flex flex-wrap items-center gap-2 text-note">
        <Trans>The times did not load.</Trans>
        <Button look="secondary" size="small" onClick={() => void refetch()}>
          <Trans>Try again</Trans>
        </Button>
      </p>
    );
  }
  return (
    <div className="flex flex-col gap-2" aria-busy={isPending}>
      {data?.message && <p className="text-note text-warn">{data.message}</p>}
      <ul className="grid grid-cols-2 gap-2 desktop:grid-cols-3 [&>:nth-child(3)]:hidden desktop:[&>:nth-child(3)]:block">
        {isPending
          ? [1, 2, 3].map((place) => (
              <li key={place}>
                <Skeleton shape="button" />
              </li>
            ))
          : nearestOf(data.intervals, chosen).map((interval) => (
              <li key={interval.id}>
                <IntervalButton
                  interval={interval}
                  isChosen={interval.id === chosen?.id}
                  onChoose={() => setInterval(interval.id)}
                />
              </li>
            ))}
      </ul>
      <span>{all}</span>
    </div>
  );
}
