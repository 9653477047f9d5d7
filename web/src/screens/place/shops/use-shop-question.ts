import type { Schema } from '@/api/types';
import { openModal } from '@/ui/modals/modal-store';
import { isStopped } from './shop-search';

type Shop = Schema<'Shop'>;

/**
 * Returns a function that chooses a shop. For a shop that is closed now it asks first; for a stopped shop it
 * only shows a message.
 */
export function useShopQuestion(choose: (shop: Shop) => Promise<void>) {
  return (shop: Shop) => {
    if (isStopped(shop) || !shop.open_state.open) {
      openModal('confirm-shop', { shop, onConfirm: () => choose(shop) });
    } else {
      void choose(shop);
    }
  };
}
