import { type ComponentProps, lazy, Suspense, useEffect, useState } from 'react';
import { ErrorBoundary } from '@/ui/feedback/error-boundary';

const LateParts = lazy(() => import('./late-parts'));

/** Loads the late parts once the document has everything that it shows. Without them the page works. */
export function LateCompanions(props: ComponentProps<typeof LateParts>) {
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
      <Suspense>
        <LateParts {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}
