import type { QueryClient } from '@tanstack/react-query';
import { keys, removePersonal, rereadPersonal } from '@/api/keys';
import { clearPlaces } from '@/entities/place/place';
import { readInTab, readStored, removeAllStored, writeInTab, writeStored } from '@/lib/storage';
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

/**
 * The key of the moment when a customer last signed out, in milliseconds since 1970: on the device, and in each tab as
 * it was when the tab last forgot a customer.
 */
const leftKey = 'left';

const isMoment = (value: unknown): value is number => typeof value === 'number';

/** Returns when a customer last signed out on the device; 0 for never. */
const readLeft = () => readStored(leftKey, isMoment) ?? 0;

/** Removes the data of a customer who leaves from the device and the tab, and lets the other tabs do the same. */
export function forgetCustomer(): void {
  removeAllStored(...personal);
  const now = Date.now();
  writeInTab(leftKey, now);
  writeStored(leftKey, now);
}

/**
 * Takes over the place that another tab chooses, so that no tab moves the cart back when it reads it again. Reads the
 * session and all personal data again when another tab signs in or out; of another customer than before, nothing that
 * is not shown stays. Loads the document again without the drafts of a customer who has signed out in another tab, also
 * while this one was closed. Returns a function that ends this.
 */
export function followOtherTabs(client: QueryClient): () => void {
  const onStorage = ({ key, oldValue, newValue }: StorageEvent) => {
    // A tab also stores the place again whenever the cart brings other details of it.
    if (key?.startsWith('place.') && placeIn(oldValue) !== placeIn(newValue)) clearPlaces();
    if (key === leftKey) forgetWhoLeft();
    if (key !== storedKey) return;
    if (customerIn(oldValue) !== customerIn(newValue)) removePersonal(client);
    void client.invalidateQueries({ queryKey: keys.session() });
    void rereadPersonal(client);
  };
  forgetWhoLeft();
  addEventListener('storage', onStorage);
  addEventListener('pageshow', forgetWhoLeft);
  return () => {
    removeEventListener('storage', onStorage);
    removeEventListener('pageshow', forgetWhoLeft);
  };
}

/** Loads the document again without what the tab stores of a customer, if one has signed out elsewhere since. */
function forgetWhoLeft(): void {
  const known = readInTab(leftKey, isMoment);
  if (known === undefined) writeInTab(leftKey, readLeft());
  else if (known !== readLeft()) {
    // Until it is left, the document stores what its forms contain.
    addEventListener('pagehide', forgetInTab, { once: true });
    location.reload();
  }
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
  writeInTab(leftKey, readLeft());
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
