import { Trans, useLingui } from '@lingui/react/macro';
import { ShoppingBag } from 'lucide-react';
import { useCart } from '@/entities/cart/queries';
import { useCityPath } from '@/entities/city/context';
import { Icon } from '@/ui/icon';
import { Link } from '@/ui/link';

/**
 * Returns how many portions are in the cart, and the accessible name of a link to it; undefined while it is
 * empty.
 */
export function useCartLink() {
  const { t } = useLingui();
  const { count } = useCart();
  const label =
    count > 0 ? t({ id: 'app.frame.cart-count', message: `Cart: ${count}` }) : undefined;
  return { count, label };
}

/** The link to the cart in the header of a desktop. */
export function CartLink() {
  const path = useCityPath();
  const { count, label } = useCartLink();
  return (
    <Link look="plain" href={path('/cart')} aria-label={label}>
      {/* The number is between icon and name, and its room is reserved: nothing moves when it appears. */}
      <span className="flex min-h-11 min-w-11 items-center justify-center gap-4 px-2">
        <span className="relative">
          <Icon of={ShoppingBag} size="small" />
          <CountBadge count={count} />
        </span>
        <span className="max-[1279px]:sr-only">
          <Trans id="common.cart">Cart</Trans>
        </span>
      </span>
    </Link>
  );
}

/** A number at the corner of an icon; nothing when it is zero. */
export function CountBadge({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="numeral absolute -inset-bs-1.5 inset-s-3 min-w-4.5 rounded-full bg-accent px-1 text-center text-[0.6875rem]/4.5 text-on-accent">
      {count}
    </span>
  );
}
