import { t } from '@lingui/core/macro';
import { flash } from './flash/flash-store';
import { showFailure } from './show-failure';

const failures = new WeakSet<Error>();

/**
 * Follows the chunks that are loaded from now on. For each that fails a message offers to load the
 * page again: React and browsers keep a failed chunk, and after an update of the site it is gone.
 */
export function watchChunks(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    failures.add(payload);
    if (!navigator.onLine) {
      showFailure({ kind: 'offline' });
      return;
    }
    const action = { label: t`Reload`, run: () => location.reload() };
    flash(t`Part of the page did not load. Reload it: your cart is kept.`, {
      tone: 'error',
      action,
    });
  });
}

/** Whether a part is broken because its chunk was not loaded. */
export const isChunkFailure = (error: Error): boolean => failures.has(error);
