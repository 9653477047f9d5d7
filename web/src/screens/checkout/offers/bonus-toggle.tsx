import { useLingui } from '@lingui/react/macro';
import { Info } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Schema } from '@/api/types';
import { useBonusWords } from '@/entities/bonus/bonus-words';
import { useCart } from '@/entities/cart/queries';
import { useCity } from '@/entities/city/context';
import { Switch } from '@/ui/fields/switch';
import { IconButton } from '@/ui/icon-button';
import { openModal } from '@/ui/modals/modal-store';
import { type BonusObstacle, bonusObstacle } from './rules';
import { useOffers } from './use-offers';

/** The switch for paying with bonuses; nothing for guests and in cities without a bonus programme. */
export function BonusToggle() {
  const { cart } = useCart();
  return cart?.bonus ? <Toggle cart={cart} bonus={cart.bonus} /> : null;
}

/** The switch itself, with the sum that it pays, or with the reason why it cannot be used. */
function Toggle({ cart, bonus }: { cart: Schema<'Cart'>; bonus: Schema<'CartBonus'> }) {
  const { t } = useLingui();
  const words = useBonusWords();
  const { applyBonuses } = useOffers();
  // The state that the visitor has just chosen; undefined once the server has decided.
  const [pendingChoice, setPendingChoice] = useState<boolean>();
  const presses = useRef(0);
  const obstacle = bonusObstacle(bonus, cart.prices);
  const isOn = obstacle === undefined && (pendingChoice ?? bonus.wanted > 0);
  const reason = useReason(obstacle, cart);
  const change = (next: boolean) => {
    presses.current += 1;
    const press = presses.current;
    setPendingChoice(next);
    applyBonuses(next ? bonus.balance : 0, () => {
      // The answer to an earlier press must not undo a later one.
      if (press === presses.current) setPendingChoice(undefined);
    });
  };
  // Until the server has decided, what it will most likely be.
  const used =
    pendingChoice === undefined ? cart.prices.bonuses : Math.min(bonus.balance, bonus.limit);
  const balance = words(bonus.balance);
  const status = isOn
    ? t({
        id: 'checkout.offers.balance-used',
        message: `${words(used)} of ${balance} used for this order`,
      })
    : t({
        id: 'checkout.offers.balance-usable',
        message: `You have ${balance}, ${words(bonus.limit)} can be used for this order`,
      });
  return (
    <div className="flex items-start gap-1 py-1">
      <div className="min-w-0 flex-1">
        <Switch
          label={t({ id: 'checkout.offers.pay-with-bonuses', message: 'Pay with bonuses' })}
          note={
            reason
              ? `${t({ id: 'checkout.offers.balance', message: `You have ${balance}.` })} ${reason}`
              : status
          }
          checked={isOn}
          disabled={obstacle !== undefined}
          onChange={(event) => change(event.target.checked)}
        />
        {cart.prices.upcoming_bonuses > 0 && (
          <p className="text-note text-good">
            {t({
              id: 'checkout.offers.bonuses-to-come',
              message: `You will get ${words(cart.prices.upcoming_bonuses)} for this order`,
            })}
          </p>
        )}
      </div>
      <IconButton
        icon={Info}
        label={t({ id: 'checkout.offers.about-bonuses', message: 'About bonuses' })}
        onClick={() => openModal('bonus-info')}
      />
    </div>
  );
}

/** Returns the text of the obstacle; undefined when there is none. */
function useReason(obstacle: BonusObstacle | undefined, cart: Schema<'Cart'>): string | undefined {
  const { t } = useLingui();
  const { bonus_programme: programme } = useCity();
  switch (obstacle) {
    case 'unavailable':
      return (
        cart.messages.find(({ position }) => position === 'bonus_description')?.text ??
        t({
          id: 'checkout.offers.bonuses-cannot-be-used-now',
          message: 'Bonuses cannot be used now.',
        })
      );
    case 'discount':
      return cart.bonus && cart.bonus.wanted > 0
        ? t({
            id: 'checkout.offers.discount-switched-them-off',
            message: 'Bonuses are off: they cannot be combined with a discount.',
          })
        : t({
            id: 'checkout.offers.they-cannot-be-combined',
            message: 'They cannot be combined with a discount.',
          });
    case 'no-balance':
      return programme?.is_accruing
        ? t({
            id: 'checkout.offers.bonuses-come-with-orders',
            message: 'Bonuses come with your orders.',
          })
        : t({
            id: 'checkout.offers.no-new-bonuses-given-now',
            message: 'No new bonuses are given now.',
          });
    case 'nothing':
      return t({
        id: 'checkout.offers.nothing-in-order-can',
        message: 'Nothing in this order can be paid with bonuses.',
      });
    case undefined:
      return undefined;
  }
}
