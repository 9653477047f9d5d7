import { t } from '@lingui/core/macro';
import { flash } from '../flash/flash-store';
import { reloadIfReplaced } from './release';
import { showFailure } from './show-failure';

const failures = new WeakSet<Error>();

/**
 * Watches for chunks that fail to load. React and browsers do not load a failed chunk again, and a new release
 * removes old chunks, so only a reload helps: the page reloads itself when the site has a newer release,
 * otherwise a message offers it.
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

/** Reloads the page when a newer release has replaced it; otherwise offers to reload it. */
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

/** Reports whether an error is the failed load of a chunk. */
export const isChunkFailure = (error: Error): boolean => failures.has(error);
