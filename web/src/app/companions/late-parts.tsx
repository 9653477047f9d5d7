import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { keepChanges } from '@/entities/cart/kept-changes';
import { useCartSession } from '@/entities/cart/queries';
import { useCity, useCityPath } from '@/entities/city/context';
import { useConsent } from '@/entities/consent/consent';
import { readLastOrder } from '@/entities/order/last-order';
import { followRefusedPlaces } from '@/entities/place-choice/refused-place';
import { followOtherTabs } from '@/entities/session/other-tabs';
import { withTexts } from '@/i18n/load';
import type { NoticePlace } from '@/screens/consent/cookie-notice';
import { frameOf } from '../frame/frame-rules';
import { ScrollToTop } from '../frame/scroll-to-top';
import { contentId } from '../frame/use-page-scroll';
import { refreshOnReturn } from './refresh-on-return';
import { returnFlashFocus } from './return-flash-focus';

const CookieNotice = lazy(() =>
  withTexts('consent', () => import('@/screens/consent/cookie-notice')),
);

const BannerWatch = lazy(() =>
  withTexts('marketing', () => import('@/screens/marketing/banner-watch')),
);

const OrderInProgress = lazy(() =>
  withTexts('tracking', () => import('@/screens/tracking/order-in-progress')),
);

const OfflineCompanion = lazy(() =>
  withTexts('offline', () => import('@/screens/offline/offline-companion')),
);

/** Loads what every dialog is built on, so that the first one opens sooner. A dialog asks again for what is lost. */
const loadDialogs = () => import('@/ui/sheet').catch(() => undefined);

/** How many milliseconds after its mount the page shows the cookie notice. */
const noticeDelay = 2000;

interface LatePartsProps {
  inCity: boolean;
}

/**
 * The parts that no page needs to be read: the cookie notice, the city's banners, the order in progress, the way back
 * to the top and to an order whose answer was lost, what follows other tabs and refused places, what returns the focus
 * of messages, what loads the page's data again after an absence, the store of changes that do not get through, and that
 * for offline reading.
 */
export default function LateParts({ inCity }: LatePartsProps) {
  const client = useQueryClient();
  useEffect(() => void loadDialogs(), []);
  useEffect(() => followOtherTabs(client), [client]);
  useEffect(() => refreshOnReturn(client), [client]);
  useEffect(() => returnFlashFocus(focusContent), []);
  return (
    <>
      <CookieQuestion inCity={inCity} />
      {inCity && <Banners />}
      {inCity && <LastOrder />}
      {inCity && <LostOrder />}
      {inCity && <KeptChanges />}
      {inCity && <RefusedPlaces />}
      {inCity && <WayUp />}
      <Suspense>{inCity ? <OfflineInCity /> : <OfflineCompanion />}</Suspense>
    </>
  );
}

/** The button that scrolls to the top, on the pages of the city but that of the payment. */
function WayUp() {
  const [location] = useLocation();
  return frameOf(location, true).isSlim ? null : <ScrollToTop />;
}

/** Forgets the chosen place when the server does not have it any more. */
function RefusedPlaces() {
  const client = useQueryClient();
  const city = useCity();
  useEffect(() => followRefusedPlaces(client, city), [client, city]);
  return null;
}

/** Renders nothing. It stores the changes of the city's cart that do not get through. */
function KeptChanges() {
  const { outbox, cityId } = useCartSession();
  useEffect(() => keepChanges(outbox, cityId), [outbox, cityId]);
  return null;
}

/** The companion that stores the pages of the city for reading without a network. */
function OfflineInCity() {
  return <OfflineCompanion city={useCity()} />;
}

/** The watch that opens the city's banners, loaded only when the city has any. */
function Banners() {
  const { banners } = useCity();
  if (banners.length === 0) return null;
  return (
    <Suspense>
      <BannerWatch />
    </Suspense>
  );
}

/** The cookie notice, some time after the page was loaded, until the visitor has chosen. */
function CookieQuestion({ inCity }: LatePartsProps) {
  const [location] = useLocation();
  const isChosen = useConsent() !== undefined;
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), noticeDelay);
    return () => clearTimeout(timer);
  }, []);
  const place = cookieNoticePlace(location, inCity);
  if (isChosen || !isDue || !place) return null;
  return (
    <Suspense>
      <CookieNotice place={place} onFocusLost={focusContent} />
    </Suspense>
  );
}

/** Returns the place of the cookie notice on a page; undefined on the payment page, which shows none. */
function cookieNoticePlace(location: string, inCity: boolean): NoticePlace | undefined {
  const { navigation, isSlim } = frameOf(location, inCity);
  if (isSlim) return undefined;
  if (!inCity) return 'above-suggestion';
  return navigation ? 'above-bars' : 'end';
}

/** Moves the focus to the content of the page. */
const focusContent = () => document.getElementById(contentId)?.focus({ preventScroll: true });

/**
 * The last order of this device while it is in progress, on the pages with the cart's bar. Read when the visitor
 * comes to a page: so one that ends there is still seen.
 */
function LastOrder() {
  const [location] = useLocation();
  const [read, setRead] = useState(() => ({ location, last: readLastOrder() }));
  if (read.location !== location) setRead({ location, last: readLastOrder() });
  const { last } = read;
  if (!last || last.isOver || !frameOf(location, true).cartBar) return null;
  return (
    <Suspense>
      <OrderInProgress key={last.orderId} orderId={last.orderId} />
    </Suspense>
  );
}

/** Reports whether the tab has stored an order whose outcome is unknown. */
function hasPendingOrder(cityId: number): boolean {
  try {
    // The key of `writePendingOrder`, written again because the late parts are one script.
    return sessionStorage.getItem(`order.pending.${cityId}`) !== null;
  } catch {
    return false;
  }
}

/**
 * Renders nothing. It opens the checkout when this tab has an order of the city whose outcome was unknown when its page
 * was left: the checkout sends the order again under its key and says what became of it. The pages of the cart and of
 * an order stay.
 */
function LostOrder() {
  const { id: cityId } = useCity();
  const path = useCityPath();
  const [location, navigate] = useLocation();
  const resume = useEffectEvent((city: number) => {
    if (frameOf(location, true).cartBar && hasPendingOrder(city)) navigate(path('/cart?step=2'));
  });
  useEffect(() => resume(cityId), [cityId]);
  return null;
}
