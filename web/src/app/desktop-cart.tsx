import { useLingui } from '@lingui/react/macro';
import { lazy } from 'react';
import { withTexts } from '@/i18n/load';
import { LazyPart } from '@/ui/feedback/lazy-part';
import { Skeleton } from '@/ui/feedback/skeleton';
import { useDesktop } from '@/ui/hooks/use-desktop';

const CartPanel = lazy(async () => {
  const { CartPanel: panel } = await withTexts(
    'checkout',
    () => import('@/screens/checkout/cart/cart-panel'),
  );
  return { default: panel };
});

/** The cart beside the menu, on desktop only: a phone neither loads nor renders it. */
export function DesktopCart() {
  const { t } = useLingui();
  const isDesktop = useDesktop();
  return (
    <aside
      id="cart"
      aria-label={t({ id: 'common.cart', message: 'Cart' })}
      className="hidden desktop:block"
    >
      <div className="sticky inset-bs-17 max-h-[calc(var(--full-height)-5rem)] overflow-y-auto rounded-card">
        <LazyPart fallback={<PanelSkeleton />}>
          {isDesktop ? <CartPanel /> : <PanelSkeleton />}
        </LazyPart>
      </div>
    </aside>
  );
}

/** The skeleton of the cart while it loads. */
function PanelSkeleton() {
  return (
    <div className="grid gap-4 rounded-card bg-surface p-4">
      <Skeleton shape="title" />
      <Skeleton shape="button" count={3} />
    </div>
  );
}
