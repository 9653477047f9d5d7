import { t } from '@lingui/core/macro';
import { flash } from '../flash/flash-store';
import { reloadIfReplaced } from './release';
import { showFailure } from './show-failure';

const failures = new WeakSet<Error>();

/**
 * Follows the chunks that are loaded from now on. React and browsers keep one that failed, and long
 * after an update of the site it is gone: then the page loads itself again, else a message offers
 * to.
 */
export function watchChunks(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    failures.add(payload);
    if (!navigator.onLine) {
      showFailure({ kind: 'offline' });
      return;
    }
    void reloadOrOffer();
  });
}

/** Reloads the page where a newer release has replaced it; offers to reload elsewhere. */
async function reloadOrOffer(): Promise<void> {
  if (await reloadIfReplaced()) return;
  const action = { label: t({ id: 'ui.reload', message: 'Reload' }), run: () => location.reload() };
  flash(
    t({
      id: 'ui.part-of-page',
      message: 'Part of the page did not load. Reload it: your cart is kept.',
    }),
    {
      tone: 'error',
      action,
    },
  );
}

/** Whether a part is broken because its chunk was not loaded. */
export const isChunkFailure = (error: Error): boolean => failures.has(error);
