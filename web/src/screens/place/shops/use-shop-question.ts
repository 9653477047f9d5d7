import type { Schema } from '@/api/types';
import { openModal } from '@/ui/modals/modal-store';
import { isStopped } from './shop-search';

type Shop = Schema<'Shop'>;

/** Chooses a shop; asks first when it is closed now and the order has to wait. A stopped shop stays unchosen. */
export function useShopQuestion(choose: (shop: Shop) => Promise<void>) {
  return (shop: Shop) => {
    if (isStopped(shop) || !shop.open_state.open) {
      openModal('confirm-shop', { shop, onConfirm: () => choose(shop) });
    } else {
      void choose(shop);
    }
  };
}
