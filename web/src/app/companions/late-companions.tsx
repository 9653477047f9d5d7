import { type ComponentProps, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useConsent } from '@/entities/consent/consent';
import { readLastOrder } from '@/entities/order/last-order';
import { useSite } from '@/entities/site/context';
import { withTexts } from '@/i18n/load';
import { ErrorBoundary } from '@/ui/feedback/error-boundary';

const LateParts = lazy(() => import('./late-parts'));

const Analytics = lazy(() => import('../analytics/analytics'));

const OrderInProgress = lazy(() =>
  withTexts('tracking', () => import('@/screens/tracking/order-in-progress')),
);

/** The late parts of a page, loaded once the document has loaded. The page works without them. */
export function LateCompanions(props: ComponentProps<typeof LateParts>) {
  return (
    <Late>
      <LateParts {...props} />
    </Late>
  );
}

/** The brand's analytics, loaded for a visitor who allows them. It must stay mounted from page to page. */
export function LateAnalytics() {
  const { analytics } = useSite();
  const consent = useConsent();
  if (!analytics || !consent?.analytics) return null;
  return (
    <Late>
      <Analytics accounts={analytics} allowsMarketing={consent.marketing} />
    </Late>
  );
}

/** The last order of this device while it is in progress, loaded once the document has loaded. */
export function LateOrderInProgress() {
  return (
    <Late>
      <LastOrderInProgress />
    </Late>
  );
}

/** The last order as it was stored when the visitor came to the page; nothing when it was over then. */
function LastOrderInProgress() {
  const [location] = useLocation();
  const [read, setRead] = useState(() => ({ location, last: readLastOrder() }));
  if (read.location !== location) setRead({ location, last: readLastOrder() });
  const { last } = read;
  return last && !last.isOver ? (
    <OrderInProgress key={last.orderId} orderId={last.orderId} />
  ) : null;
}

/** Its children once the document has loaded; nothing when they fail, because nothing depends on them. */
function Late({ children }: { children: ReactNode }) {
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    const onLoad = () => setLoaded(true);
    if (document.readyState === 'complete') onLoad();
    else addEventListener('load', onLoad, { once: true });
    return () => removeEventListener('load', onLoad);
  }, []);
  if (!isLoaded) return null;
  return (
    <ErrorBoundary fallback={() => null}>
      <Suspense>{children}</Suspense>
    </ErrorBoundary>
  );
}
