import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useCity } from '@/entities/city/context';
import { useConsent } from '@/entities/consent/consent';
import { withTexts } from '@/i18n/load';
import type { NoticePlace } from '@/screens/consent/cookie-notice';
import { frameOf } from '../frame/frame-rules';
import { contentId } from '../frame/use-fresh-page-at-top';

const CookieNotice = lazy(() =>
  withTexts('consent', () => import('@/screens/consent/cookie-notice')),
);

const BannerWatch = lazy(() =>
  withTexts('marketing', () => import('@/screens/marketing/banner-watch')),
);

const OfflineCompanion = lazy(() =>
  withTexts('offline', () => import('@/screens/offline/offline-companion')),
);

/** How long a visitor looks at the page before they are asked about cookies, in milliseconds. */
const noticeDelay = 2000;

interface LatePartsProps {
  inCity: boolean;
}

/** The parts that no page needs in order to be read: they are loaded when the page is idle. */
export default function LateParts({ inCity }: LatePartsProps) {
  return (
    <>
      <CookieQuestion inCity={inCity} />
      {inCity && <Banners />}
      <Suspense>{inCity ? <OfflineInCity /> : <OfflineCompanion />}</Suspense>
    </>
  );
}

/** Stores the pages of the city for reading without a network. */
function OfflineInCity() {
  const { id, alias, phone, timezone } = useCity();
  return <OfflineCompanion city={{ id, alias, phone, timezone }} />;
}

/** Loads the code that opens the city's banners, if it has any. */
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

/** Returns where the cookie notice stands on a page; undefined on the payment page, which shows none. */
function cookieNoticePlace(location: string, inCity: boolean): NoticePlace | undefined {
  const { navigation, isSlim } = frameOf(location, inCity);
  if (isSlim) return undefined;
  if (!inCity) return 'above-suggestion';
  return navigation ? 'above-bars' : 'top';
}

const focusContent = () => document.getElementById(contentId)?.focus({ preventScroll: true });
