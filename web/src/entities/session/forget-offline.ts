import { removeAllStored } from '@/lib/storage';
import type { PersonalStore, ToWorker } from '@/worker/rules';

const personalStore: PersonalStore = 'personal';

/** Drops what the device has of the visitor for reading without a network, so that the next one cannot. */
export function forgetOffline(): void {
  removeAllStored('seen-cart.');
  if (!('caches' in globalThis)) return;
  // The worker drops it too, together with what it is just reading.
  const message: ToWorker = { type: 'forget' };
  navigator.serviceWorker?.controller?.postMessage(message);
  caches.delete(personalStore).catch(() => undefined);
}
