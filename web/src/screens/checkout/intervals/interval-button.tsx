import { Trans } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import { useIntervalWords } from '@/entities/intervals/interval-words';
import { classes } from '@/ui/classes';

interface IntervalButtonProps {
  interval: Schema<'Interval'>;
  isChosen: boolean;
  onChoose: () => void;
  /** Whether the day is shown beside it already. */
  isDayKnown?: boolean;
}

/** The button of a delivery or pickup time; it is disabled with a note when the time is not available. */
export function IntervalButton({ interval, isChosen, onChoose, isDayKnown }: IntervalButtonProps) {
  const { title, note } = useIntervalWords()(interval);
  const isNoted = note && (interval.asap || !isDayKnown);
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      disabled={interval.disabled}
      onClick={onChoose}
      className={classes(
        'flex min-h-13 w-full flex-col items-center justify-center rounded-[min(var(--radius-control),16px)] border-[length:var(--line-width)] px-2 py-1.5 text-center',
        'transition-colors duration-(--motion-fast) disabled:cursor-not-allowed disabled:border-transparent disabled:bg-raised disabled:text-ink-soft',
        isChosen
          ? 'border-accent-ink bg-tint text-on-tint strong'
          : 'border-line bg-surface text-ink hover:border-edge',
      )}
    >
      <span className={interval.asap ? undefined : 'numeral whitespace-nowrap'}>{title}</span>
      {interval.disabled ? (
        <span className="text-note">
          {interval.disabled_reason === 'pause' ? (
            <Trans id="checkout.intervals.paused">Paused</Trans>
          ) : (
            <Trans id="checkout.intervals.taken">Taken</Trans>
          )}
        </span>
      ) : (
        isNoted && <span className="text-note">{note}</span>
      )}
    </button>
  );
}
