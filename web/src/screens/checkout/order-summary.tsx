import { Trans } from '@lingui/react/macro';
import { type ReactNode, useRef } from 'react';
import { CartTotals } from '@/entities/cart/cart-totals';
import { OrderLines } from '@/entities/cart/order-lines';
import { useCart } from '@/entities/cart/queries';
import { RelatedProducts } from '@/entities/cart/related-products';
import { useCity } from '@/entities/city/context';
import { classes } from '@/ui/classes';
import { useDesktop } from '@/ui/hooks/use-desktop';
import { useHeightProperty } from '@/ui/hooks/use-height-property';
import { CartLines } from './cart/cart-lines';

interface OrderSummaryProps {
  step: 1 | 2;
  /** What the customer must know before ordering: above the items on desktop, between the sums and the button on phones. */
  notice: ReactNode;
  /** The boxes to tick before ordering, right above the action. */
  consents: ReactNode;
  /** The one primary action; within the thumb's reach on phones. */
  action: ReactNode;
}

/**
 * What is ordered and what it costs. On phones its parts are laid out with the rest of the page, so
 * that the action sticks to the page's end; there the items can be changed in the first step and only
 * read in the second.
 */
export function OrderSummary({ step, notice, consents, action }: OrderSummaryProps) {
  const isDesktop = useDesktop();
  // In Germany the dishes and the total have to stand right above the button when it is pressed (§312j BGB).
  const staysBelow = useCity().country.code === 'DE' && step === 2;
  const bar = useRef<HTMLDivElement>(null);
  useHeightProperty(bar, '--order-bar-height', !staysBelow);
  return (
    <aside
      aria-labelledby="order-summary"
      className="contents desktop:sticky desktop:inset-bs-[calc(var(--header-height)+1rem)] desktop:flex desktop:max-h-[calc(var(--full-height)-var(--header-height)-6.75rem)] desktop:flex-col desktop:self-start desktop:overflow-y-auto desktop:rounded-card desktop:bg-surface desktop:p-5"
    >
      <h2
        id="order-summary"
        className={classes('title pb-2 text-lead', step === 1 && 'sr-only desktop:not-sr-only')}
      >
        <Trans id="common.your-order">Your order</Trans>
      </h2>
      <div
        className={classes(
          // Wider than the text, so that tinted rows are not cut where it scrolls.
          'desktop:-mx-2 desktop:min-h-56 desktop:block desktop:flex-1 desktop:overflow-y-auto desktop:px-2',
          step === 2 && 'hidden',
        )}
      >
        {/* On desktop the notice scrolls with the items, so that it takes no room from them. */}
        {isDesktop && <div className="pb-3">{notice}</div>}
        <CartLines />
        <RelatedProducts layout="slider" />
      </div>
      {step === 2 && (
        <div className="pb-4 desktop:hidden">
          <ItemsToRead />
        </div>
      )}
      <div className="flex flex-col gap-3 border-t border-line py-4 desktop:pt-3 desktop:pb-0">
        <CartTotals />
        {!isDesktop && notice}
        <div className={classes('empty:hidden', step === 1 && 'hidden desktop:block')}>
          {consents}
        </div>
      </div>
      <div
        ref={bar}
        className={classes(
          'z-40 -mx-4 border-t border-line bg-surface px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] desktop:static desktop:m-0 desktop:border-0 desktop:p-0 desktop:pt-3',
          !staysBelow && 'sticky-bar mt-auto',
        )}
      >
        {action}
      </div>
    </aside>
  );
}

/** What is ordered, as on a receipt, without controls. */
function ItemsToRead() {
  const { cart, lines } = useCart();
  const products = lines.flatMap(({ line }) => line ?? []);
  const gifts = cart && [...cart.gifts, ...cart.presents];
  return <OrderLines products={products} packages={cart?.packages} gifts={gifts} warns />;
}
