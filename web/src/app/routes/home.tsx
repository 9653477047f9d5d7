import { useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';
import { CartPanel } from '@/features/cart/cart-panel';
import { useCity, useSite } from '@/features/city/context';
import { PromisePill } from '@/features/city/promise-pill';
import { useRememberedCity } from '@/features/city/remembered-city';
import { StoppedNotice } from '@/features/city/stopped-notice';
import { MenuList } from '@/features/menu/menu-list';
import { PromoRow } from '@/features/promo/promo-row';
import { useDocumentTitle } from '@/ui/document-title';

/** The city's home page: promotions, the menu, and on desktop the cart beside it. */
export default function Home() {
  const { t } = useLingui();
  const site = useSite();
  const city = useCity();
  const name = site.slogan || site.name;
  const brand = site.name;
  const where = city.seo_name;
  useDocumentTitle(t`${brand}: order food ${where}`);
  useRememberedCity(city.alias);
  useScrollToAskedCart();
  return (
    <main className="mx-auto max-w-[90rem] pt-3 desktop:px-4 desktop:pt-6">
      <h1 className="sr-only title text-title desktop:not-sr-only">
        {name} {where}
      </h1>
      <div className="grid gap-4 px-4 pb-4 desktop:px-0 desktop:pt-4">
        <StoppedNotice />
        <div className="desktop:hidden">
          <PromisePill />
        </div>
      </div>
      <div className="pb-6">
        <PromoRow />
      </div>
      <div className="desktop:grid desktop:grid-cols-[minmax(0,1fr)_360px] desktop:gap-6">
        <MenuList />
        <aside id="cart" aria-label={t`Cart`} className="hidden desktop:block">
          <div className="sticky inset-bs-17 max-h-[calc(100dvh-5rem)] overflow-y-auto">
            <CartPanel />
          </div>
        </aside>
      </div>
    </main>
  );
}

/** `?view=cart` leads to the cart beside the menu. */
function useScrollToAskedCart() {
  useEffect(() => {
    if (new URLSearchParams(location.search).get('view') !== 'cart') return;
    document.getElementById('cart')?.scrollIntoView({ block: 'start' });
  }, []);
}
