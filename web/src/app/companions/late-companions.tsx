import { type ComponentProps, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useConsent } from '@/entities/consent/consent';
import { useSite } from '@/entities/site/context';
import { ErrorBoundary } from '@/ui/feedback/error-boundary';

const LateParts = lazy(() => import('./late-parts'));

const Analytics = lazy(() => import('../analytics/analytics'));

/** Loads the late parts of a page of a city, or of none. Without them the page works. */
export function LateCompanions(props: ComponentProps<typeof LateParts>) {
  return (
    <Late>
      <LateParts {...props} />
    </Late>
  );
}

/** Loads the brand's analytics for a visitor who allows them; must stay mounted from page to page. */
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

/** Renders its children once the document has loaded; nothing else depends on them. */
function Late({ children }: { children: ReactNode }) {
  const [isAtRest, setAtRest] = useState(false);
  useEffect(() => {
    const rest = () => setAtRest(true);
    if (document.readyState === 'complete') rest();
    else addEventListener('load', rest, { once: true });
    return () => removeEventListener('load', rest);
  }, []);
  if (!isAtRest) return null;
  return (
    <ErrorBoundary fallback={() => null}>
      <Suspense>{children}</Suspense>
    </ErrorBoundary>
  );
}
