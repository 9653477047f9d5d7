import { Trans } from '@lingui/react/macro';
import { Clock } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useOrderChanges } from '@/entities/cart/acknowledged/use-order-changes';
import { useCart } from '@/entities/cart/queries';
import { useSetInterval } from '@/entities/cart/set-interval';
import { availableAsapId, isGone, nearestOf } from '@/entities/intervals/rules';
import { useTimes } from '@/entities/intervals/use-times';
import { isPlaceChosen, usePlace } from '@/entities/place/place';
import { Button } from '@/ui/button';
import { Skeleton } from '@/ui/feedback/skeleton';
import { openModal } from '@/ui/modals/modal-store';
import { failedReason } from '../failed-reason';
import { useChooseTime, useShownTime } from './chosen-time';
import { IntervalButton } from './interval-button';

/**
 * The nearest times of the order, two on phones and three on desktop, and a button for all of them. A chosen
 * time that is no longer offered is removed; the notice of changes asks for another one. While nothing is chosen
 * and the shop works now, the soonest time is chosen by itself, but not after a chosen time was lost.
 */
export function NearestIntervals() {
  const isPlaced = isPlaceChosen(usePlace());
  const { cart } = useCart();
  const setInterval = useSetInterval();
  const { times, chosen, isChanging, error, retry } = useTimes();
  const shown = useShownTime();
  const choose = useChooseTime();
  // While the cart changes, the times are those of the earlier cart and must not decide anything.
  const known = isChanging ? undefined : times;
  const gone = known && isGone(chosen, known) ? chosen?.id : undefined;
  const removedId = useRef<string>(undefined);
  useEffect(() => {
    if (gone === undefined || removedId.current === gone) return;
    removedId.current = gone;
    setInterval(undefined);
  }, [gone, setInterval]);

  const isLost = useOrderChanges().changes.some(({ kind }) => kind === 'time');
  const isOpen = cart && cart.count > 0 && !chosen && !isLost;
  const asapId = isOpen && known ? availableAsapId(known.intervals) : undefined;
  const hasPreset = useRef(false);
  useEffect(() => {
    if (asapId === undefined || removedId.current !== undefined || hasPreset.current) return;
    hasPreset.current = true;
    setInterval(asapId);
  }, [asapId, setInterval]);

  if (error) {
    return (
      <p className="flex flex-wrap items-center gap-2 text-note">
        <span>
          <Trans id="checkout.intervals.failed-note">The times did not load.</Trans>{' '}
          {failedReason(error)}
        </span>
        <Button look="secondary" size="small" onClick={retry}>
          <Trans id="common.try-again">Try again</Trans>
        </Button>
      </p>
    );
  }
  return (
    <div className="flex flex-col gap-2" aria-busy={isPlaced && (!times || isChanging)}>
      {times?.message && <p className="text-note text-warn">{times.message}</p>}
      {isPlaced && (
        <ul className="grid pairs gap-2 desktop:grid-cols-3 [&>:nth-child(3)]:hidden desktop:[&>:nth-child(3)]:block">
          {times
            ? nearestOf(times.intervals, shown).map((interval) => (
                <li key={interval.id}>
                  <IntervalButton
                    interval={interval}
                    isChosen={interval.id === shown?.id}
                    onChoose={() => choose(interval)}
                  />
                </li>
              ))
            : [1, 2, 3].map((place) => (
                <li key={place}>
                  <Skeleton shape="button" />
                </li>
              ))}
        </ul>
      )}
      <span>
        <Button look="quiet" size="small" icon={Clock} onClick={() => openModal('intervals')}>
          <Trans id="checkout.intervals.another-time">Another time</Trans>
        </Button>
      </span>
    </div>
  );
}
