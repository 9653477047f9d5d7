import type { Schema } from '@/api/types';

type Store = typeof import('./store');

let store: Store | undefined;
let loading: Promise<Store> | undefined;

/**
 * Passes a cart to the comparison of carts, which is a chunk of its own. Carts are compared in the order of the
 * calls, and at once when the chunk is loaded. When it cannot be loaded, the comparison waits for the next cart.
 */
export function noteCartLate(cart: Schema<'Cart'>): void {
  if (store) {
    store.noteCart(cart);
    return;
  }
  loading ??= import('./store');
  loading.then(
    (loaded) => {
      store = loaded;
      loaded.noteCart(cart);
    },
    () => {
      loading = undefined;
    },
  );
}
