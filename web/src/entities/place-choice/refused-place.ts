import type { QueryClient } from '@tanstack/react-query';
import { keys } from '@/api/keys';
import { ApiFault } from '@/api/result';
import type { Schema } from '@/api/types';
import { showRefusal } from '@/entities/cart/show-refusal';
import { placeOf, setPlace } from '@/entities/place/place';

/**
 * Forgets the chosen shop or address when the server refuses a query because it does not have that shop or zone any
 * more, and opens the choice of another place: everything is loaded again without it. Returns a function that ends
 * this.
 */
export function followRefusedPlaces(client: QueryClient, city: Schema<'City'>): () => void {
  const cache = client.getQueryCache();
  const forget = (error: unknown) => {
    if (!(error instanceof ApiFault) || error.failure.kind !== 'invalid') return;
    const { failure } = error;
    const { orderType, shopId, zoneId } = placeOf(city);
    const isShop = failure.fields.shop_id && shopId !== undefined;
    const isZone = failure.fields.delivery_address && zoneId !== undefined;
    // The first of several refused queries has forgotten it already.
    if (!isShop && !isZone) return;
    // A cart that is being loaded for that place would be refused as well, and not loaded again.
    void client.cancelQueries({ queryKey: keys.cart(city.id) });
    const none = isShop ? { shop: undefined } : { address: undefined };
    setPlace(city.id, { orderType, ...none });
    showRefusal(failure);
  };
  // Another city's queries may be in the cache, but the page uses none of them.
  for (const query of cache.findAll({ type: 'active' })) forget(query.state.error);
  return cache.subscribe(({ type, query }) => {
    if (type === 'updated' && query.isActive()) forget(query.state.error);
  });
}
