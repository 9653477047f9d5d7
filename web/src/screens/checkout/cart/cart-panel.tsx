import { Plural, Trans } from '@lingui/react/macro';
import { ShoppingBag } from 'lucide-react';
import { CartTotals } from '@/entities/cart/cart-totals';
import { useCart } from '@/entities/cart/queries';
import { RelatedProducts } from '@/entities/cart/related-products';
import { Button } from '@/ui/button';
import { EmptyState } from '@/ui/feedback/empty-state';
import { Skeleton } from '@/ui/feedback/skeleton';
import { BonusToggle } from '../offers/bonus-toggle';
import { PromocodeField } from '../offers/promocode-field';
import { ChangesNotice } from '../order-step/changes-notice';
import { OrderStep } from '../order-step/order-step';
import { cartHeadingMark } from './cart-focus';
import { CartLines } from './cart-lines';
import { PanelAnswers } from './panel-answers';

/**
 * The cart beside the menu; a skeleton, an empty state or a failure while there are no lines. The order button
 * stays in view.
 */
export function CartPanel() {
  const { count, lines, isLoading, isFailed, reload } = useCart();
  return (
    <div className="rounded-card bg-surface">
      <h2
        {...cartHeadingMark}
        className="flex items-baseline gap-2 px-4 pt-4 title text-title outline-none"
      >
        <Trans id="common.cart">Cart</Trans>
        {count > 0 && (
          <span className="text-note text-ink-soft">
            <Plural id="common.items" value={count} one="# item" other="# items" />
          </span>
        )}
      </h2>
      {isFailed && <CartFailed onRetry={reload} />}
      {isLoading && lines.length === 0 && <CartSkeleton />}
      {!isFailed && !isLoading && lines.length === 0 && <EmptyCart />}
      {lines.length > 0 && (
        <>
          <div className="px-4 pt-2 pb-2">
            <ChangesNotice />
            <CartLines />
            <div className="border-t border-line empty:hidden">
              <PromocodeField />
              <BonusToggle />
            </div>
            <PanelAnswers />
            <RelatedProducts layout="list" />
          </div>
          <div className="sticky inset-be-0 flex flex-col gap-3 rounded-b-card border-t border-line bg-surface px-4 py-3">
            <CartTotals />
            <OrderStep />
          </div>
        </>
      )}
    </div>
  );
}

/** The message that the cart is empty. */
export function EmptyCart() {
  return (
    <EmptyState
      icon={ShoppingBag}
      title={<Trans id="checkout.cart.cart-empty">The cart is empty</Trans>}
    >
      <Trans id="checkout.cart.add-dishes-from-menu">
        Add dishes from the menu, they will wait for you here.
      </Trans>
    </EmptyState>
  );
}

/** The skeleton of the lines while they load. */
export function CartSkeleton() {
  return (
    <div aria-busy="true" className="flex flex-col gap-3 px-4 py-4">
      <Skeleton shape="button" count={3} />
    </div>
  );
}

/** The message that the cart could not be loaded, with a button that loads it again. */
export function CartFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <EmptyState
      icon={ShoppingBag}
      title={<Trans id="checkout.cart.cart-did-not-load">The cart did not load</Trans>}
      action={
        <Button look="secondary" onClick={onRetry}>
          <Trans id="common.try-again">Try again</Trans>
        </Button>
      }
    >
      <Trans id="checkout.cart.what-chose-kept">What you chose is kept.</Trans>
    </EmptyState>
  );
}
