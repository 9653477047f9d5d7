import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { Clock } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { keys } from '@/api/keys';
import { onDeviceClock } from '@/api/server-clock';
import { useCity } from '@/entities/city/context';
import { useLastHourEnd } from '@/entities/menu/last-hour';
import { useMenu } from '@/entities/menu/queries';
import { formatClock, wallTime } from '@/lib/wall-time';
import { announce } from '@/ui/feedback/announcer';
import { Notice } from '@/ui/feedback/notice';
import { useNow } from '@/ui/hooks/use-now';

/** The numbers of minutes left at which the time is announced to screen readers. */
const spokenAt: ReadonlySet<number> = new Set([15, 5]);

/**
 * The notice, in the last work hour of the chosen shop, until when it takes orders and how many minutes are
 * left; nothing at other times.
 */
export function LastHourNotice() {
  const end = useLastHourEnd();
  return end && <Countdown key={end} end={end} />;
}

/** Shows the minutes left, and reads the cart again at the end. */
function Countdown({ end }: { end: string }) {
  const { t } = useLingui();
  const city = useCity();
  const client = useQueryClient();
  const hasSteps = useMenu().data?.product_groups.some((group) =>
    group.products.some((product) => product.sale_multiplicity > 1),
  );
  const until = onDeviceClock(end);
  const now = useNow(true);
  const minutes = Math.max(0, Math.ceil((until - now) / 60_000));
  const time = formatClock(wallTime(end, city));
  const speak = useEffectEvent((left: number) => {
    const message = t({
      id: 'home.last-hour.orders-until',
      message: `Orders until ${{ time }}, ${{ minutes: left }} min left`,
    });
    announce(message);
  });
  useEffect(() => {
    if (spokenAt.has(minutes)) speak(minutes);
    // After the end other rules apply to the order; the newly loaded cart has them.
    if (minutes === 0) void client.invalidateQueries({ queryKey: keys.cart(city.id) });
  }, [minutes, client, city.id]);
  if (minutes === 0) return null;
  return (
    <Notice
      icon={Clock}
      title={
        <span role="timer" aria-live="off">
          <Trans id="home.last-hour.orders-until">
            Orders until {time}, {minutes} min left
          </Trans>
        </span>
      }
    >
      {hasSteps && (
        <Trans id="home.last-hour.several-portions">
          Until then some dishes are sold several portions at a time.
        </Trans>
      )}
    </Notice>
  );
}
