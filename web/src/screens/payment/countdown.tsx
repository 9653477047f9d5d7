import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent } from 'react';
import { classes } from '@/ui/classes';
import { announce } from '@/ui/feedback/announcer';
import { useSecondsUntil } from '@/ui/hooks/use-seconds-until';

/** The time is marked as short from this many seconds on. */
const shortTime = 120;
/** The numbers of seconds left at which the time is announced to screen readers. */
const spokenAt: ReadonlySet<number> = new Set([300, 120, 60, 30]);

interface CountdownProps {
  /** Milliseconds since 1970, by the device's clock. */
  until: number;
  onOver: () => void;
}

/** The time left to pay, marked in the last two minutes; calls `onOver` at its end. */
export function Countdown({ until, onOver }: CountdownProps) {
  const { t } = useLingui();
  const seconds = useSecondsUntil(until);
  const isOver = seconds === 0;
  const handleOver = useEffectEvent(onOver);
  useEffect(() => {
    if (isOver) handleOver();
  }, [isOver]);
  const speak = useEffectEvent((left: number) => {
    const minutes = left / 60;
    const inMinutes = t({
      id: 'payment.countdown.minutes-left-to-pay',
      message: plural(minutes, {
        one: '# minute left to pay',
        other: '# minutes left to pay',
      }),
    });
    announce(
      left < 60
        ? t({ id: 'payment.countdown.30-seconds-left-to-pay', message: '30 seconds left to pay' })
        : inMinutes,
    );
  });
  useEffect(() => {
    if (spokenAt.has(seconds)) speak(seconds);
  }, [seconds]);
  const isShort = seconds <= shortTime;
  return (
    <p
      role="timer"
      aria-live="off"
      className={classes(
        'flex items-baseline gap-2',
        isShort ? 'self-start rounded-chip bg-warn-tint px-2.5 py-0.5 text-ink' : 'text-ink-soft',
      )}
    >
      <Trans id="payment.countdown.time-left-to-pay">
        Time left to pay <span className="numeral-column">{clock(seconds)}</span>
      </Trans>
    </p>
  );
}

/** Writes seconds as `9:05`, the same in all languages of the page. */
const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
