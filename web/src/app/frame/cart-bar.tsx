import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { ShoppingBag } from 'lucide-react';
import { Link } from 'wouter';
import { useCart } from '@/entities/cart/queries';
import { useCity, useCityPath } from '@/entities/city/context';
import { isPlaceChosen, usePlace } from '@/entities/place/place';
import { classes } from '@/ui/classes';
import { Icon } from '@/ui/icon';
import { useMoney } from '@/ui/money';
import { OrderTypeName, PromisedTime } from './promise/promise-words';

/**
 * The bar at the bottom of a phone: how many dishes are in the cart, the same total as in the cart
 * itself, what the delivery in it costs, the promised time, and the way there. Absent while the cart is empty.
 */
export function CartBar() {
  const { t } = useLingui();
  const path = useCityPath();
  const place = usePlace();
  const isPromised = useCity().type !== 'stop' && isPlaceChosen(place);
  const money = useMoney();
  const { cart, count, isChanging } = useCart();
  if (count === 0) return null;
  // The first dishes have no sum until the server has them.
  const prices = cart?.count ? cart.prices : undefined;
  return (
    <section aria-label={t({ id: 'common.cart', message: 'Cart' })}>
      <Link
        href={path('/cart')}
        className="flex min-h-13 animate-[rise_var(--motion)_var(--ease)] flex-wrap items-center gap-x-3 rounded-control bg-accent px-4 text-lead strong text-on-accent shadow-high"
      >
        <Icon of={ShoppingBag} />
        <span data-shortened className="min-w-0 grow basis-20 leading-tight">
          <span className="block truncate">
            <Trans id="common.cart">Cart</Trans>{' '}
            <span className="ms-1 text-note">
              <Plural id="common.items" value={count} one="# item" other="# items" />
            </span>
          </span>{' '}
          {isPromised && (
            // In one line, whatever the width: where there is no room for both, the delivery is left out.
            <span className="flex h-4 flex-wrap gap-x-2 overflow-hidden text-note leading-4 font-normal whitespace-nowrap">
              <PromisedTime />{' '}
              <span>
                <OrderTypeName />
                {prices && prices.delivery > 0 && ` ${money(prices.delivery)}`}
              </span>
            </span>
          )}
        </span>
        <span className={classes('numeral ms-auto', isChanging && 'outdated')}>
          {prices && money(prices.total)}
        </span>
      </Link>
    </section>
  );
}
