import { Trans, useLingui } from '@lingui/react/macro';
import { Gift as GiftDrawing } from 'lucide-react';
import { useRef } from 'react';
import { AllergenWarning } from '@/entities/allergens/allergen-warning';
import { FreePrice } from '@/entities/cart/gifts/free-price';
import { controlOf, isEarned } from '@/entities/cart/gifts/rules';
import { useCity } from '@/entities/city/context';
import { useLanguage } from '@/i18n/use-language';
import { formatDayMonth } from '@/lib/dates';
import { wallTime } from '@/lib/wall-time';
import { Button } from '@/ui/button';
import { classes } from '@/ui/classes';
import { Counter } from '@/ui/fields/counter';
import { useKeptFocus } from '@/ui/hooks/use-kept-focus';
import { Icon } from '@/ui/icon';
import { Picture } from '@/ui/picture';
import { GiftHint } from './gift-hint';
import { type ShownGift, useTakeGift } from './taking';

/** A gift or present: its usual price, what is missing for it, and the button that takes it. */
export function GiftRow({ shown }: { shown: ShownGift }) {
  const { gift, count } = shown;
  // In the cart, or ready to be taken.
  const isOwn = count > 0 || (isEarned(gift) && gift.is_available);
  return (
    <li
      className={classes(
        '-mx-2 flex flex-wrap gap-3 rounded-[min(var(--radius-card),16px)] p-2 transition-colors duration-(--motion)',
        isOwn ? 'bg-tint text-on-tint' : 'bg-transparent',
      )}
    >
      <span className={classes('relative self-start', !isOwn && 'opacity-70')}>
        <Picture picture={gift.images.small} alt="" shape="thumb" />
        {isOwn && (
          <span className="absolute -inset-be-1 -inset-e-1 grid size-6 animate-[settle_var(--motion)_ease-out] place-items-center rounded-full bg-accent text-on-accent">
            <Icon of={GiftDrawing} size="small" />
          </span>
        )}
      </span>
      <div className="flex min-w-0 grow basis-36 flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <div className="min-w-[min(8rem,100%)] flex-1">
          <p lang={gift.lang} className={classes(isOwn && 'strong')}>
            {gift.name}
          </p>
          <p className="text-note">
            <FreePrice worth={gift.basic_price} />
          </p>
          <GiftNote shown={shown} />
          <AllergenWarning allergens={gift.allergens} />
        </div>
        <GiftControls shown={shown} />
      </div>
    </li>
  );
}

/** A note under a gift: that it comes with a promocode, what is missing for it, why it is not available, or until when it can be taken. */
function GiftNote({ shown: { gift, count } }: { shown: ShownGift }) {
  const { t } = useLingui();
  const language = useLanguage();
  const city = useCity();
  if (gift.type === 'promocodeGift' && count > 0)
    return (
      <Note>{t({ id: 'checkout.gifts.with-promo-code', message: 'With the promo code' })}</Note>
    );
  if (!isEarned(gift)) return <GiftHint gift={gift} />;
  if (gift.alert) return <Note>{gift.alert}</Note>;
  if (gift.expires_at) {
    // At that instant it has expired: one that ends at midnight can be taken on the day before.
    const lastMoment = Date.parse(gift.expires_at) - 1;
    const day = formatDayMonth(wallTime(lastMoment, city), language);
    return <Note>{t({ id: 'checkout.gifts.until', message: `until ${day}` })}</Note>;
  }
  return null;
}

/** A short text under a gift. */
const Note = ({ children }: { children: string }) => (
  <p className="text-note opacity-90">{children}</p>
);

/** The buttons of a gift: take it, remove it, or change its count. */
function GiftControls({ shown }: { shown: ShownGift }) {
  const { t } = useLingui();
  const take = useTakeGift();
  const place = useRef<HTMLSpanElement>(null);
  const { gift, count } = shown;
  const { name } = gift;
  const control = controlOf(gift, count);
  const keepFocus = useKeptFocus(place, control === 'counter');
  if (control === 'none') return null;
  const change = (wanted: number) => {
    keepFocus(wanted > 0 && gift.max_count > 1);
    take(shown, wanted);
  };
  return (
    <span ref={place} className="shrink-0">
      {control === 'counter' ? (
        <Counter
          name={name}
          count={count}
          max={gift.is_available ? gift.max_count : count}
          onChange={change}
        />
      ) : (
        // One button for both, so that the focus stays where it is.
        <Button
          look={count > 0 ? 'quiet' : 'secondary'}
          size="small"
          aria-label={
            count > 0
              ? t({ id: 'checkout.gifts.remove-gift', message: `Remove the gift: ${name}` })
              : t({ id: 'checkout.gifts.take-gift', message: `Take the gift: ${name}` })
          }
          onClick={() => change(count > 0 ? 0 : 1)}
        >
          {count > 0 ? (
            <Trans id="checkout.remove">Remove</Trans>
          ) : (
            <Trans id="checkout.gifts.take-it">Take it</Trans>
          )}
        </Button>
      )}
    </span>
  );
}
