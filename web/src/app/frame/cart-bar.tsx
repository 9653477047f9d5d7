import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { ShoppingBag } from 'lucide-react';
import { Link } from 'wouter';
import { useCart } from '@/entities/cart/queries';
import { useCityPath } from '@/entities/city/context';
import { classes } from '@/ui/classes';
import { Icon } from '@/ui/icon';
import { useMoney } from '@/ui/money';

/**
 * The bar at the bottom of a phone: how many dishes are in the cart, the same total as in the cart
 * itself and the way there. Absent while the cart is empty.
 */
export function CartBar() {
  const { t } = useLingui();
  const path = useCityPath();
  const money = useMoney();
  const { cart, count, isChanging } = useCart();
  if (count === 0) return null;
  // The first dishes have no sum until the server has them.
  const sum = cart?.count ? money(cart.prices.total) : undefined;
  return (
    <section aria-label={t({ id: 'common.cart', message: 'Cart' })}>
      <Link
        href={path('/cart')}
        className="flex min-h-13 animate-[rise_var(--motion)_var(--ease)] items-center gap-3 rounded-control bg-accent px-4 text-lead strong text-on-accent shadow-high"
      >
        <Icon of={ShoppingBag} />
        <span>
          <Trans id="common.cart">Cart</Trans>{' '}
          <span className="ms-1 text-note">
            <Plural id="common.items" value={count} one="# item" other="# items" />
          </span>
        </span>
        <span className={classes('numeral ms-auto', isChanging && 'outdated')}>{sum}</span>
      </Link>
    </section>
  );
}
