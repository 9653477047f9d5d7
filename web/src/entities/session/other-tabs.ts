import type { QueryClient } from '@tanstack/react-query';
import { keys, rereadPersonal } from '@/api/keys';
import { rereadPlace } from '@/entities/place/place';
import { storedKey } from './session';

/**
 * Takes over the place that another tab chooses, and reads the session and all personal data again when one signs in
 * or out. Returns a function that ends this.
 */
export function followOtherTabs(client: QueryClient): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    rereadPlace(key);
    if (key !== storedKey) return;
    void client.invalidateQueries({ queryKey: keys.session() });
    void rereadPersonal(client);
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}
