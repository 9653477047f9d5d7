import { useLingui } from '@lingui/react/macro';
import { useBonusWords } from '@/entities/bonus/bonus-words';
import { useCart } from '@/entities/cart/queries';

/** The text with the bonuses of a signed-in customer; nothing for guests. */
export function BonusBalance() {
  const { t } = useLingui();
  const { cart } = useCart();
  const words = useBonusWords();
  if (!cart?.bonus) return null;
  return (
    <p className="pb-3 text-lead strong">
      {t({ id: 'bonus.balance.you-have', message: `You have ${words(cart.bonus.balance)}` })}
    </p>
  );
}
