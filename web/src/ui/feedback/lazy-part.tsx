import { Trans } from '@lingui/react/macro';
import { type ReactNode, Suspense } from 'react';
import { Button } from '../button';
import { isChunkFailure } from './chunk-failures';
import { ErrorBoundary } from './error-boundary';
import { Notice } from './notice';

interface LazyPartProps {
  /** Shown while the chunk is loading. */
  fallback?: ReactNode;
  children: ReactNode;
}

/**
 * Renders a part that has its own chunk, and the fallback while the chunk loads. When the chunk fails to load, a
 * notice replaces only this part.
 */
export function LazyPart({ fallback, children }: LazyPartProps) {
  return (
    <ErrorBoundary fallback={(error) => <MissingPart error={error} />}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </ErrorBoundary>
  );
}

/** The notice that a part did not load. An error that is no failed chunk is thrown on to the page's boundary. */
function MissingPart({ error }: { error: Error }) {
  if (!isChunkFailure(error)) throw error;
  return (
    <Notice
      tone="warn"
      action={
        <Button look="secondary" size="small" onClick={() => location.reload()}>
          <Trans id="ui.reload">Reload</Trans>
        </Button>
      }
    >
      <Trans id="ui.part-of-page">
        Part of the page did not load. Reload it: your cart is kept.
      </Trans>
    </Notice>
  );
}
