import { removeAllStored } from '@/lib/storage';
import type { PersonalStore, ToWorker } from '@/worker/rules';

const personalStore: PersonalStore = 'personal';

/** Removes the visitor's data for reading without a network from the device, also those of the worker. */
export function forgetOffline(): void {
  removeAllStored('seen-cart.');
  if (!('caches' in globalThis)) return;
  // The worker removes its own copies, also of what it is loading now.
  const message: ToWorker = { type: 'forget' };
  navigator.serviceWorker?.controller?.postMessage(message);
  caches.delete(personalStore).catch(() => undefined);
}
