import { Trans, useLingui } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import type { AcknowledgedTime } from '@/entities/cart/acknowledged/changes-since';
import { useSetInterval } from '@/entities/cart/set-interval';
import { useCity } from '@/entities/city/context';
import { useDayWords, useIntervalWords } from '@/entities/intervals/interval-words';
import { nearestTo } from '@/entities/intervals/rules';
import { useTimes } from '@/entities/intervals/use-times';
import { isoDate } from '@/lib/dates';
import { wallTime } from '@/lib/wall-time';
import { Button } from '@/ui/button';
import { openModal } from '@/ui/modals/modal-store';

interface LostTimeProps {
  time: AcknowledgedTime;
  /** Called when the customer takes the time that is offered. */
  onTake: () => void;
}

/** The notice that the chosen time is gone, with a button for the nearest time that is left. */
export function LostTime({ time, onTake }: LostTimeProps) {
  const { t } = useLingui();
  const words = useIntervalWords();
  const setInterval = useSetInterval();
  const { times } = useTimes({ date: time.asap ? undefined : time.date_string });
  const nearest = times && nearestTo(time, times.intervals);
  const { name: title, note } = nearest ? words(nearest) : { name: '' };
  // The title of the soonest time says no time of day, so its note is shown too.
  const text = useLossText(time, times, nearest?.asap ? `${title}, ${note}` : nearest && title);
  return (
    <div className="mt-2 flex flex-col gap-2 first:mt-0">
      <p>{text}</p>
      <span className="flex flex-wrap gap-2">
        {nearest && (
          <Button
            look="secondary"
            onClick={() => {
              onTake();
              setInterval(nearest.id);
            }}
          >
            {t({ id: 'checkout.order-step.take-time', message: `Take ${title}` })}
          </Button>
        )}
        <Button look={nearest ? 'quiet' : 'secondary'} onClick={() => openModal('intervals')}>
          <Trans id="checkout.order-step.choose-another-time">Choose another time</Trans>
        </Button>
      </span>
    </div>
  );
}

/** Returns the sentence that names the lost time and the time `offered` instead. */
function useLossText(
  time: AcknowledgedTime,
  times: Schema<'Intervals'> | undefined,
  offered: string | undefined,
): string {
  const { t } = useLingui();
  const city = useCity();
  const begins = isoDate(wallTime(time.start_timestamp * 1000, city));
  const { day } = useDayWords()(dayOf(time, begins, times));
  const title = day ? `${time.title} (${day})` : time.title;
  if (time.asap) {
    return offered
      ? t({
          id: 'checkout.order-step.soonest-gone-nearest',
          message: `The soonest time is no longer available. Nearest time: ${offered}`,
        })
      : t({
          id: 'checkout.order-step.soonest-gone',
          message: 'The soonest time is no longer available. Choose another time',
        });
  }
  return offered
    ? t({
        id: 'checkout.order-step.time-gone-nearest',
        message: `${title} is no longer available. Nearest time: ${offered}`,
      })
    : t({
        id: 'checkout.order-step.time-gone',
        message: `${title} is no longer available. Choose another time`,
      });
}

/**
 * Returns the day of a time that was chosen earlier and begins on a date: as the times list it, else as today or as
 * another date, as after midnight. While the times are not loaded, it counts as today.
 */
function dayOf(time: AcknowledgedTime, begins: string, times: Schema<'Intervals'> | undefined) {
  const { date_string: date } = time;
  const listed = times?.dates.find(({ date_string }) => date_string === date && date === begins);
  const isToday = !times || times.date_today === date;
  return listed ?? { ...time, is_today: isToday, is_tomorrow: false };
}
