import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { isEarned, nearGifts, sortGifts } from '@/entities/cart/gifts/rules';
import { Button } from '@/ui/button';
import { announce } from '@/ui/feedback/announcer';
import { GiftRow } from './gift-row';
import { keyOf, type ShownGift, useGifts } from './taking';

/** The gifts that are earned or can be earned, and the customer's own presents. Announces a newly earned gift. */
export function Gifts() {
  const { gifts, presents } = useGifts();
  useAnnounceEarned(gifts);
  return (
    <>
      <GiftSection title={<Trans id="checkout.gifts.gifts">Gifts</Trans>} gifts={gifts} />
      <GiftSection
        title={<Trans id="checkout.gifts.your-presents">Your presents</Trans>}
        gifts={presents}
      />
    </>
  );
}

/**
 * A list of gifts, those that can be taken first. Those that are far away come with a press of a button. Its order
 * does not change while the pointer or the focus is in it. Nothing when there are no gifts.
 */
function GiftSection({ title, gifts }: { title: ReactNode; gifts: readonly ShownGift[] }) {
  const id = useId();
  // The keys of the gifts in the order to keep; undefined while the order is free.
  const [heldKeys, setHeldKeys] = useState<readonly string[]>();
  const [isWhole, setWhole] = useState(false);
  const near = nearGifts(gifts);
  const sorted = heldKeys ? inHeldOrder(gifts, heldKeys) : sortGifts(gifts);
  const hold = () => setHeldKeys(sorted.map(({ gift }) => keyOf(gift)));
  const release = (list: Element, focused: EventTarget | null) => {
    if (!(focused instanceof Node && list.contains(focused))) setHeldKeys(undefined);
  };
  if (gifts.length === 0) return null;
  return (
    <section aria-labelledby={id} className="border-t border-line py-3">
      <h3 id={id} className="mb-2 strong">
        {title}
      </h3>
      <ul
        className="flex flex-col gap-1"
        onPointerEnter={hold}
        onPointerLeave={(event) => release(event.currentTarget, document.activeElement)}
        onFocus={hold}
        onBlur={(event) => release(event.currentTarget, event.relatedTarget)}
      >
        {sorted
          .filter((shown) => isWhole || near.includes(shown))
          .map((shown) => (
            <GiftRow key={keyOf(shown.gift)} shown={shown} />
          ))}
      </ul>
      {near.length < gifts.length && (
        <MoreGifts
          count={gifts.length - near.length}
          isOpen={isWhole}
          onPress={() => setWhole(!isWhole)}
        />
      )}
    </section>
  );
}

interface MoreGiftsProps {
  /** How many gifts it shows and hides. */
  count: number;
  isOpen: boolean;
  onPress: () => void;
}

/** The button that shows the gifts that are far away, and hides them again. */
function MoreGifts({ count, isOpen, onPress }: MoreGiftsProps) {
  const { t } = useLingui();
  return (
    <Button look="quiet" size="small" aria-expanded={isOpen} onClick={onPress}>
      {isOpen
        ? t({ id: 'checkout.gifts.fewer', message: 'Show fewer gifts' })
        : t({
            id: 'checkout.gifts.more',
            message: plural(count, { one: '# more gift', other: '# more gifts' }),
          })}
    </Button>
  );
}

/** Returns the gifts in the order of `heldKeys`; gifts that are not in it come last. */
function inHeldOrder(gifts: readonly ShownGift[], heldKeys: readonly string[]): ShownGift[] {
  const placeOf = ({ gift }: ShownGift) => {
    const at = heldKeys.indexOf(keyOf(gift));
    return at < 0 ? heldKeys.length : at;
  };
  return [...gifts].sort((a, b) => placeOf(a) - placeOf(b));
}

/** Announces to screen readers each gift that becomes earned after the first render. */
function useAnnounceEarned(gifts: readonly ShownGift[]) {
  const { t } = useLingui();
  const earned = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    if (gifts.length === 0) return;
    const now = gifts.filter(({ gift }) => isEarned(gift));
    const before = earned.current;
    earned.current = new Set(now.map(({ gift }) => keyOf(gift)));
    const won = before && now.find(({ gift }) => gift.is_available && !before.has(keyOf(gift)));
    if (won)
      announce(
        t({ id: 'checkout.gifts.gift-yours', message: `A gift is yours: ${won.gift.name}` }),
      );
  }, [gifts, t]);
}
