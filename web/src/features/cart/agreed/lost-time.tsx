import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useIntervalWords } from '@/features/cart/intervals/interval-words';
import { intervalsQuery } from '@/features/cart/intervals/queries';
import { nearestTo } from '@/features/cart/intervals/rules';
import { usePlace } from '@/features/city/place';
import { Button } from '@/ui/button';
import { openModal } from '@/ui/modals/modal-store';
import { useChangeCart } from '../queries';
import type { AgreedTime } from './agreed';

/** The chosen time is gone: the nearest one that is left is offered, and nothing is taken without a tap. */
export function LostTime({ time }: { time: AgreedTime }) {
  const { t } = useLingui();
  const words = useIntervalWords();
  const { setInterval } = useChangeCart();
  const { data } = useQuery(intervalsQuery(usePlace(), time.date_string));
  const nearest = data && nearestTo(time, data.intervals);
  const { title, note } = nearest ? words(nearest) : { title: '' };
  const offered = note ? `${title}, ${note}` : title;
  const text = useLossText(time, nearest && offered);
  return (
    <div className="mt-2 flex flex-col gap-2 first:mt-0">
      <p>{text}</p>
      <span className="flex flex-wrap gap-2">
        {nearest && (
          <Button look="secondary" onClick={() => setInterval(nearest.id)}>
            {t`Take ${title}`}
          </Button>
        )}
        <Button look={nearest ? 'quiet' : 'secondary'} onClick={() => openModal('intervals')}>
          <Trans>Choose another time</Trans>
        </Button>
      </span>
    </div>
  );
}

/** What is gone and what is there instead; the soonest time has no title that fits into a sentence. */
function useLossText({ asap, title }: AgreedTime, offered: string | undefined): string {
  const { t } = useLingui();
  if (asap) {
    return offered
      ? t`The soonest time is no longer available. Nearest time: ${offered}`
      : t`The soonest time is no longer available. Choose another time`;
  }
  return offered
    ? t`${title} is no longer available. Nearest time: ${offered}`
    : t`${title} is no longer available. Choose another time`;
}
