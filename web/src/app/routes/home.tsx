import { useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';
import { DesktopCart } from '@/app/desktop-cart';
import { useCity } from '@/entities/city/context';
import { useSite } from '@/entities/site/context';
import { LastHourNotice } from '@/screens/home/last-hour-notice';
import { MenuList } from '@/screens/home/menu-list';
import { PausedNotice } from '@/screens/home/paused-notice';
import { StoppedNotice } from '@/screens/home/stopped-notice';
import { ReturnNotice } from '@/screens/payment-return/return-notice';
import { PromoRow } from '@/screens/promo/promo-row';
import { useDocumentTitle } from '@/ui/hooks/document-title';
import { PromisePill } from '../frame/promise/promise-pill';

/** The city's home page: notices, promotions, the menu, and on desktop the cart beside it. */
export default function Home() {
  const { t } = useLingui();
  const site = useSite();
  const city = useCity();
  const name = site.slogan || site.name;
  const brand = site.name;
  const where = city.seo_name;
  useDocumentTitle(t({ id: 'app.routes.home-title', message: `${brand}: order food ${where}` }));
  useScrollToAskedCart();
  return (
    <main className="mx-auto max-w-[90rem] pt-3 desktop:grid desktop:grid-cols-[minmax(0,1fr)_360px] desktop:gap-6 desktop:px-4 desktop:pt-5">
      <div className="min-w-0">
        <h1 className="sr-only title text-title desktop:not-sr-only desktop:mb-3">
          {t({ id: 'app.routes.home-heading', message: `${name} ${where}` })}
        </h1>
        <ReturnNotice />
        <div className="px-4 pb-3 empty:hidden desktop:px-0">
          <StoppedNotice />
        </div>
        <PausedNotice />
        <div className="px-4 pb-4 desktop:hidden">
          <PromisePill />
        </div>
        <div className="pb-6 empty:hidden">
          <PromoRow />
        </div>
        <div className="px-4 pb-4 empty:hidden desktop:px-0">
          <LastHourNotice />
        </div>
        <MenuList />
      </div>
      <DesktopCart />
    </main>
  );
}

/** Scrolls to the cart beside the menu for `?view=cart`. On a phone `useAskedCart` opens the cart's page. */
function useScrollToAskedCart() {
  useEffect(() => {
    if (new URLSearchParams(location.search).get('view') !== 'cart') return;
    document.getElementById('cart')?.scrollIntoView({ block: 'start' });
  }, []);
}
