import { type ComponentProps, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useConsent } from '@/entities/consent/consent';
import { useSite } from '@/entities/site/context';
import { ErrorBoundary } from '@/ui/feedback/error-boundary';

const LateParts = lazy(() => import('./late-parts'));

const Analytics = lazy(() => import('../analytics/analytics'));

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
