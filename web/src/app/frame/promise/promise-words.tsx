import { Trans } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import { useIntervalWords } from '@/entities/intervals/interval-words';
import { useTimes } from '@/entities/intervals/use-times';
import { useOrderType } from '@/entities/place/place';
import { promisedTime } from './promised-time';

/** How many milliseconds pass until the times are loaded again. */
const promiseRefresh = 5 * 60_000;

/** The chosen order type. */
export const OrderTypeName = () =>
  useOrderType() === 'delivery' ? (
    <Trans id="common.delivery">Delivery</Trans>
  ) : (
    <Trans id="common.takeaway">Takeaway</Trans>
  );

/**
 * The promised time after a text, in one line and never cut short; nothing while none is available. It is not dimmed
 * while it changes: it could not be read.
 */
export function PromisedTime({ before }: { before?: string }) {
  const { times, chosen, isChanging } = useTimes({ refetchInterval: promiseRefresh });
  const promised = times && promisedTime(times, chosen);
  if (!promised) return null;
  return (
    <span className="shrink-0 whitespace-pre" aria-busy={isChanging}>
      {before}
      {promised.kind === 'minutes' ? (
        <Minutes {...promised} />
      ) : (
        <IntervalTime interval={promised.interval} />
      )}
    </span>
  );
}

/** An interval in brief words. */
const IntervalTime = ({ interval }: { interval: Schema<'Interval'> }) =>
  useIntervalWords()(interval).brief;

/** A time from now in minutes. */
function Minutes({ from, to }: { from: number; to: number }) {
  return (
    <Trans id="app.frame.minutes-between">
      {from}–{to} min
    </Trans>
  );
}
