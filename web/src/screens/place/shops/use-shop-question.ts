import type { Schema } from '@/api/types';
import { openModal } from '@/ui/modals/modal-store';
import { isStopped } from './shop-search';

type Shop = Schema<'Shop'>;

/** Returns a function that chooses a shop; it asks first when the shop is closed now. A stopped shop is not chosen. */
export function useShopQuestion(choose: (shop: Shop) => Promise<void>) {
  return (shop: Shop) => {
    if (isStopped(shop) || !shop.open_state.open) {
      openModal('confirm-shop', { shop, onConfirm: () => choose(shop) });
    } else {
      void choose(shop);
    }
  };
}
