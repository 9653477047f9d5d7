import { removeAllStored } from '@/lib/storage';
import type { PersonalStore, ToWorker } from '@/worker/rules';

const personalStore: PersonalStore = 'personal';

/**
 * Removes the visitor's data for reading without a network from the device, also those of the worker. Notifications
 * about orders end too, except with `keepsPush`: a guest who signs in keeps their orders.
 */
export function forgetOffline({ keepsPush = false } = {}): void {
  removeAllStored('seen-cart.');
  if (!keepsPush) removeAllStored('order.messages.');
  if (!('caches' in globalThis)) return;
  // The worker removes its own copies, also of what it is loading now.
  const message: ToWorker = { type: 'forget', keepsPush };
  navigator.serviceWorker?.controller?.postMessage(message);
  caches.delete(personalStore).catch(() => undefined);
}
