import { QueryErrorResetBoundary } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { ApiFault } from '@/api/result';
import { isChunkFailure } from '@/ui/feedback/chunk-failures';
import { ErrorBoundary } from '@/ui/feedback/error-boundary';
import { ErrorPage } from './error-page';
import { NotFoundPage } from './not-found-page';

/**
 * Its children, or an error in their place when they fail: the not-found page for a missing thing, a reload for
 * a lost chunk, otherwise a retry with the reference of the server. A navigation shows the children again.
 */
export function PageBoundary({ children }: { children: ReactNode }) {
  const [location] = useLocation();
  return (
    <QueryErrorResetBoundary>
      {({ reset }) => (
        <ErrorBoundary
          resetKey={location}
          fallback={(error, retry) => {
            if (isChunkFailure(error)) {
              return <ErrorPage needsReload onRetry={() => window.location.reload()} />;
            }
            const failure = error instanceof ApiFault ? error.failure : undefined;
            if (failure?.kind === 'notFound') return <NotFoundPage />;
            const reference = failure?.kind === 'server' ? failure.reference : undefined;
            const retryQueries = () => {
              reset();
              retry();
            };
            return <ErrorPage reference={reference} onRetry={retryQueries} />;
          }}
        >
          {children}
        </ErrorBoundary>
      )}
    </QueryErrorResetBoundary>
  );
}
