import { isChunkFailure } from '@/ui/feedback/chunk-failures';

/** How an error came to the page's notice. */
export type ErrorKind = 'thrown' | 'rejection' | 'render' | 'chunk';

/** Reports an error; does nothing until `watchErrors` is called. */
let report: (kind: ErrorKind, error: unknown) => void = () => undefined;

/**
 * Reports unhandled errors from now on. The code that sends them is loaded at the first error. Errors
 * are lost while there is no network, or when that code does not load.
 */
export function watchErrors(): void {
  report = (kind, error) => {
    void import('./report-error').then(
      ({ reportError }) => reportError(kind, error),
      () => undefined,
    );
  };
  addEventListener('error', ({ error }) => report('thrown', error));
  addEventListener('unhandledrejection', ({ reason }) => report('rejection', reason));
  addEventListener('vite:preloadError', ({ payload }) => report('chunk', payload));
}

/** Reports an error that a boundary shows in place of the broken part, and writes it to the console. */
export function reportCaught(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: with an onCaughtError of ours React no longer writes it
  console.error(error);
  // A chunk that did not load has been reported as `vite:preloadError`.
  if (!(error instanceof Error && isChunkFailure(error))) report('render', error);
}
