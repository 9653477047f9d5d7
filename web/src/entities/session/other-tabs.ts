import type { QueryClient } from '@tanstack/react-query';
import { keys, removePersonal, rereadPersonal } from '@/api/keys';
import { clearPlaces } from '@/entities/place/place';
import { removeAllStored, removeStored, writeStored } from '@/lib/storage';
import { storedKey } from './session';

/** The beginnings of the keys under which the device and the tab store data of a customer. */
const personal = [
  'contact',
  'last-order',
  'place.',
  'address-draft.',
  'form-draft.',
  'cart-changes.',
  'checkout.',
  'agreed.',
  'line-places.',
  'order.',
  'login.',
];

/** The key that is written for a moment when a customer leaves. */
const leftKey = 'left';

/** Removes the data of a customer who leaves from the device and the tab, and lets the other tabs do the same. */
export function forgetCustomer(): void {
  removeAllStored(...personal);
  writeStored(leftKey, true);
  removeStored(leftKey);
}

/**
 * Takes over the place that another tab chooses, so that no tab moves the cart back when it reads it again. Reads the
 * session and all personal data again when another tab signs in or out; of another customer than before, nothing that
 * is not shown stays. Loads the document again without the drafts of a customer who leaves in another tab. Returns a
 * function that ends this.
 */
export function followOtherTabs(client: QueryClient): () => void {
  const onStorage = ({ key, oldValue, newValue }: StorageEvent) => {
    // A tab also stores the place again whenever the cart brings other details of it.
    if (key?.startsWith('place.') && placeIn(oldValue) !== placeIn(newValue)) clearPlaces();
    if (key === leftKey && newValue !== null) restart();
    if (key !== storedKey) return;
    if (customerIn(oldValue) !== customerIn(newValue)) removePersonal(client);
    void client.invalidateQueries({ queryKey: keys.session() });
    void rereadPersonal(client);
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}

/** Loads the document again, and forgets what the tab stores of a customer, also what is stored until it is left. */
function restart(): void {
  addEventListener('pagehide', forgetInTab, { once: true });
  location.reload();
}

/** Removes what the tab stores of a customer. What the device stores may be of the next one already. */
function forgetInTab(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (personal.some((prefix) => key.startsWith(prefix))) sessionStorage.removeItem(key);
    }
  } catch {
    // Nothing could be kept here, so nothing is left to drop.
  }
}

/** Returns a text that is the same for stored choices of the same shop and address; empty for none. */
function placeIn(stored: string | null): string {
  try {
    const { orderType, shop, address } = JSON.parse(stored ?? '').value;
    return [orderType, shop?.id, address?.id].join();
  } catch {
    return '';
  }
}

/** Returns the id of a stored customer; undefined for none. */
function customerIn(stored: string | null): unknown {
  try {
    return JSON.parse(stored ?? '').value.id;
  } catch {
    return undefined;
  }
}
