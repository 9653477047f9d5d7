import { useLingui } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import { useChangeCart } from '@/entities/cart/queries';
import { bagsOf } from '@/entities/cart/rules';
import { Checkbox } from '@/ui/fields/checkbox';
import { Price } from '@/ui/price';

/** The bags that the order is packed into, and the choice to do without, where they can be refused. */
export function Packages({ cart }: { cart: Schema<'Cart'> }) {
  const { t } = useLingui();
  const { setWithoutBag } = useChangeCart();
  const bags = bagsOf(cart);
  if (bags.length === 0) return null;
  return (
    <section
      aria-label={t({ id: 'checkout.cart.packages', message: 'Packages' })}
      className="border-t border-line py-2"
    >
      <ul>
        {bags
          .filter(({ count }) => count > 0)
          .map(({ id, name, count, price }) => (
            <li key={id} className="flex justify-between gap-3 py-1 text-ink-soft">
              <span>{count > 1 ? `${name} × ${count}` : name}</span>
              {price > 0 && <Price amount={price * count} column />}
            </li>
          ))}
      </ul>
      {bags.some((bag) => bag.can_refuse) && (
        <Checkbox
          label={t({ id: 'checkout.cart.do-not-need-bag', message: 'I do not need a bag' })}
          checked={cart.without_bag}
          onChange={(event) => setWithoutBag(event.target.checked)}
        />
      )}
    </section>
  );
}
