import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { WifiOff } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLanguage } from '@/i18n/use-language';
import { callHref } from '@/lib/call-href';
import { formatDayMonth, isoDate } from '@/lib/dates';
import { type CityClock, formatClock, wallTime } from '@/lib/wall-time';
import { Button } from '@/ui/button';
import { announce } from '@/ui/feedback/announcer';
import { flash } from '@/ui/flash/flash-store';
import { Icon } from '@/ui/icon';
import { Link } from '@/ui/link';
import { connection, probe } from './connection';

interface OfflineNoticeProps {
  /** The phone to call instead of ordering on the page. */
  phone?: string;
  /** The clock of the city. */
  clock?: CityClock;
}

/**
 * The notice that there is no connection, how old the shown data is, and that nothing can be ordered; nothing
 * while online. It announces the loss.
 */
export function OfflineNotice({ phone, clock }: OfflineNoticeProps) {
  const { t } = useLingui();
  const client = useQueryClient();
  const [isTrying, setTrying] = useState(false);
  const { isOffline, storedAt } = useSyncExternalStore(connection.subscribe, connection.get);
  const seenAt = useMomentWords(storedAt, clock);
  const title = t({ id: 'offline.notice.title', message: 'No connection' });
  useEffect(() => {
    if (!isOffline) return;
    // On a scrolled page the notice at the top is out of sight.
    if (scrollY > 0) flash(title, { tone: 'warning' });
    else announce(title);
  }, [isOffline, title]);
  if (!isOffline) return null;
  const tryAgain = async () => {
    setTrying(true);
    await probe(client);
    setTrying(false);
  };
  return (
    <section
      aria-label={title}
      data-screen-only
      className="border-b border-line bg-raised text-ink"
    >
      <div className="mx-auto flex max-w-[90rem] flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-note">
        <span className="text-warn">
          <Icon of={WifiOff} />
        </span>
        <p className="min-w-0 flex-1 basis-56">
          <b className="strong">{title}.</b>{' '}
          {seenAt ? (
            <Trans id="offline.notice.seen-at">
              What you see is from {seenAt}. You can order when you are back online.
            </Trans>
          ) : (
            <Trans id="offline.notice.no-order">You can order when you are back online.</Trans>
          )}{' '}
          {phone && (
            <Trans id="offline.notice.call">
              Or call: <Link href={callHref(phone)}>{phone}</Link>
            </Trans>
          )}
        </p>
        <Button look="quiet" size="small" busy={isTrying} onClick={() => void tryAgain()}>
          <Trans id="common.try-again">Try again</Trans>
        </Button>
      </div>
    </section>
  );
}

/**
 * Returns the day (unless today) and the time of a moment by the clock of the city; empty when either parameter
 * is undefined.
 */
function useMomentWords(moment: number | undefined, clock: CityClock | undefined): string {
  const language = useLanguage();
  if (moment === undefined || clock === undefined) return '';
  const then = wallTime(moment, clock);
  const isToday = isoDate(then) === isoDate(wallTime(Date.now(), clock));
  return isToday ? formatClock(then) : `${formatDayMonth(then, language)}, ${formatClock(then)}`;
}
