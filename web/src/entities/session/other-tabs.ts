import type { QueryClient } from '@tanstack/react-query';
import { keys, removePersonal, rereadPersonal } from '@/api/keys';
import { clearPlaces } from '@/entities/place/place';
import { storedKey } from './session';

/**
 * Takes over the place that another tab chooses, so that no tab moves the cart back when it reads it again. Reads the
 * session and all personal data again when another tab signs in or out; of another customer than before, nothing that
 * is not shown stays. Returns a function that ends this.
 */
export function followOtherTabs(client: QueryClient): () => void {
  const onStorage = ({ key, oldValue, newValue }: StorageEvent) => {
    // A tab also stores the place again whenever the cart brings other details of it.
    if (key?.startsWith('place.') && placeIn(oldValue) !== placeIn(newValue)) clearPlaces();
    if (key !== storedKey) return;
    if (customerIn(oldValue) !== customerIn(newValue)) removePersonal(client);
    void client.invalidateQueries({ queryKey: keys.session() });
    void rereadPersonal(client);
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
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
