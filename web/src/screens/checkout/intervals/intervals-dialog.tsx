import { Trans, useLingui } from '@lingui/react/macro';
import { CalendarClock, MapPin } from 'lucide-react';
import { useState } from 'react';
import type { Schema } from '@/api/types';
import { useCart } from '@/entities/cart/queries';
import { useTimes } from '@/entities/intervals/use-times';
import { isPlaceChosen, usePlace } from '@/entities/place/place';
import { useLanguage } from '@/i18n/use-language';
import { capitalize } from '@/lib/language';
import { Button } from '@/ui/button';
import { Chip } from '@/ui/chip';
import { EmptyState } from '@/ui/feedback/empty-state';
import { Notice } from '@/ui/feedback/notice';
import { Skeleton } from '@/ui/feedback/skeleton';
import { useModalFrame } from '@/ui/modals/modal-frame';
import { openModal } from '@/ui/modals/modal-store';
import { Sheet } from '@/ui/sheet';
import { failedReason } from '../failed-reason';
import { useChooseTime } from './chosen-time';
import { IntervalButton } from './interval-button';

/** How often the times are loaded again while the dialog is open, in milliseconds. */
const pickingRefresh = 15_000;

/** The dialog that chooses the day and the time of the order; without a place it shows how to choose one. */
export default function IntervalsDialog() {
  const place = usePlace();
  return (
    <Sheet
      title={
        place.orderType === 'delivery' ? (
          <Trans id="checkout.intervals.when-to-bring">When to bring it</Trans>
        ) : (
          <Trans id="checkout.intervals.when-pick-up">When you will pick it up</Trans>
        )
      }
    >
      {isPlaceChosen(place) ? <Times /> : <NoPlace />}
    </Sheet>
  );
}

/** The days, and the times of the chosen one; a press on a time chooses it and closes the dialog. */
function Times() {
  const { close } = useModalFrame();
  const choose = useChooseTime();
  const [date, setDate] = useState(useCart().cart?.interval?.date_string);
  const { times, chosen, isChanging, error, retry } = useTimes({
    date,
    refetchInterval: pickingRefresh,
  });
  // The days stay in sight while the times of another day load.
  const [days, setDays] = useState<Schema<'IntervalDate'>[]>([]);
  if (times && times.dates !== days) {
    setDays(times.dates);
    // A day that has no time any more goes: the first one with a time is shown.
    if (!times.dates.some((day) => day.date_string === date)) setDate(undefined);
  }

  if (error) return <NotLoaded error={error} retry={retry} />;
  return (
    <div className="flex min-h-80 flex-col gap-4">
      {days.length > 0 ? (
        <DateBar days={days} current={date ?? times?.date} onChange={setDate} />
      ) : (
        <Skeleton shape="chip" />
      )}
      {times?.message && <Notice tone="warn">{times.message}</Notice>}
      <ul
        aria-busy={!times || isChanging}
        className="grid grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))] gap-2"
      >
        {times ? (
          times.intervals.map((interval) => (
            <li key={interval.id} className={interval.asap ? 'col-span-full' : undefined}>
              <IntervalButton
                interval={interval}
                isChosen={interval.id === chosen?.id}
                isDayKnown
                onChoose={() => {
                  choose(interval);
                  close();
                }}
              />
            </li>
          ))
        ) : (
          <Skeleton shape="button" count={8} />
        )}
      </ul>
    </div>
  );
}

interface DateBarProps {
  days: readonly Schema<'IntervalDate'>[];
  current: string | undefined;
  onChange: (date: string) => void;
}

/** The days as chips, the chosen one pressed. */
function DateBar({ days, current, onChange }: DateBarProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const words = (day: Schema<'IntervalDate'>) => {
    if (day.is_today) return t({ id: 'checkout.intervals.today', message: 'Today' });
    if (day.is_tomorrow) return t({ id: 'checkout.intervals.tomorrow', message: 'Tomorrow' });
    // Several languages write the names of days with a small letter within a sentence; a chip begins one.
    return `${capitalize(day.day_name, language)}, ${day.formatted_string}`;
  };
  return (
    <fieldset className="bare-scrollbar -mx-4 flex min-w-0 gap-2 overflow-x-auto px-4 py-1 desktop:mx-0 desktop:flex-wrap desktop:px-0">
      <legend className="sr-only">{t({ id: 'checkout.intervals.day', message: 'Day' })}</legend>
      {days.map((day) => (
        <Chip
          key={day.date_string}
          pressed={day.date_string === current}
          onClick={() => onChange(day.date_string)}
        >
          {words(day)}
        </Chip>
      ))}
    </fieldset>
  );
}

/** The reason why the times could not be loaded, with a button that loads them again. */
function NotLoaded({ error, retry }: { error: Error; retry: () => void }) {
  return (
    <EmptyState
      icon={CalendarClock}
      title={<Trans id="checkout.intervals.failed-title">The times did not load</Trans>}
      action={
        <Button onClick={retry}>
          <Trans id="common.try-again">Try again</Trans>
        </Button>
      }
    >
      {failedReason(error) ?? (
        <Trans id="checkout.intervals.check-connection-and-try-again">
          Check the connection and try again.
        </Trans>
      )}
    </EmptyState>
  );
}

/** The request to choose a place first, because the times depend on the shop that cooks. */
function NoPlace() {
  return (
    <EmptyState
      icon={MapPin}
      title={
        <Trans id="checkout.intervals.first-say-where-order-goes">
          First say where the order goes
        </Trans>
      }
      action={
        <Button onClick={() => openModal('order-types')}>
          <Trans id="checkout.intervals.choose-place">Choose the place</Trans>
        </Button>
      }
    />
  );
}
