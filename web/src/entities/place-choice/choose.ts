import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '@/api/client';
import { keys } from '@/api/keys';
import { attempt, fetchData, type Result } from '@/api/result';
import type { Schema } from '@/api/types';
import { storeCart } from '@/entities/cart/queries';
import { menuQuery } from '@/entities/menu/queries';
import { type OrderPlace, setPlace, usePlace } from '@/entities/place/place';
import { addressesQuery } from '@/entities/place/queries';
import { showFault } from '@/ui/feedback/show-failure';
import { openModal } from '@/ui/modals/modal-store';
import { type Losses, losesNothing, lossesAt } from './losses';

type Shop = Schema<'Shop'>;
type AddressChoice = Schema<'AddressChoice'>;

/** What is looked up: a typed address, or a tapped point, which may have the typed address that was not found. */
export type Target =
  | { kind: 'text'; address: string }
  | { kind: 'point'; coordinates: Schema<'Coordinates'>; address?: string };

export type Details = Required<Schema<'AddressDetails'>>;

/** Chooses the shop to come to. `choose` asks first when the visitor would lose something. */
export function useChooseShop(onChosen: () => void) {
  const client = useQueryClient();
  const place = usePlace();
  const set = useMutation({
    mutationFn: (shop: Shop) => fetchData(api.POST('/shops/set', { body: { shop_id: shop.id } })),
    onSuccess: (choice) => {
      storeShopChoice(client, choice);
      onChosen();
    },
    onError: showFault,
  });
  const compare = useMutation({
    mutationFn: (shop: Shop) => loadLosses(client, place, shop),
    onError: showFault,
  });
  const checkAndSet = async (shop: Shop) => {
    const losses = await compare.mutateAsync(shop);
    if (losesNothing(losses)) await set.mutateAsync(shop);
    else {
      const onConfirm = () => set.mutateAsync(shop);
      openModal('confirm-takeaway', { shopName: shop.name, losses, onConfirm });
    }
  };
  // The failure has been shown already.
  const choose = (shop: Shop) => checkAndSet(shop).catch(() => undefined);
  const underway = [compare, set].find(({ isPending }) => isPending);
  return { choose, busyId: underway?.variables?.id };
}

/** Chooses the address of a delivery. The calls resolve to undefined when it is chosen, else to the refusal. */
export function useChooseAddress() {
  const client = useQueryClient();
  const { mutateAsync: run, isPending } = useMutation({
    mutationFn: async (call: () => Promise<Result<AddressChoice>>) => {
      const result = await call();
      if (result.kind !== 'ok') return result;
      storeAddressChoice(client, result.data);
      return undefined;
    },
  });

  return {
    isBusy: isPending,
    byTarget: (cityId: number, target: Target, details: Details) =>
      run(() => {
        if (target.kind === 'text') {
          const body = { city_id: cityId, address: target.address, ...details };
          return attempt(api.POST('/user/addresses/set-by-address', { body }));
        }
        const { coordinates, address } = target;
        const body = { city_id: cityId, ...coordinates, address, ...details };
        return attempt(api.POST('/user/addresses/set-by-coordinates', { body }));
      }),
    byId: (id: number) =>
      run(() =>
        attempt(api.POST('/user/addresses/set-by-id', { body: { delivery_address_id: id } })),
      ),
  };
}

/** Stores the answer to the choice of a shop: menu and cart in the cache, and the place. */
function storeShopChoice(client: QueryClient, { shop, cart, ...menu }: Schema<'ShopChoice'>) {
  const at = { city_id: shop.city_id, order_type: 'takeaway', shop_id: shop.id } as const;
  // The menu first: listeners of the new place find its menu there.
  client.setQueryData(menuQuery(at).queryKey, toMenu(menu));
  setPlace(shop.city_id, { orderType: 'takeaway', shop });
  storeCart(client, cart);
}

/** Stores the answer to the choice of an address: menu, addresses and cart in the cache, and the place. */
function storeAddressChoice(client: QueryClient, choice: AddressChoice) {
  const { delivery_address: address, delivery_addresses: saved, cart } = choice;
  const cityId = address.city.id;
  const zone = { delivery_zone_id: address.delivery_zone_id };
  const at = { city_id: cityId, order_type: 'delivery', ...zone } as const;
  // The menu first: listeners of the new place find its menu there.
  client.setQueryData(menuQuery(at).queryKey, toMenu(choice));
  client.setQueryData(addressesQuery().queryKey, saved);
  setPlace(cityId, { orderType: 'delivery', address });
  storeCart(client, cart);
}

/** Returns only the menu of an answer that contains more. */
const toMenu = ({ product_groups, popular_products }: Schema<'Menu'>): Schema<'Menu'> => ({
  product_groups,
  popular_products,
});

/**
 * Returns what the visitor would lose by picking the order up at the shop; nothing when they have chosen
 * takeaway already or the cart is empty.
 */
async function loadLosses(client: QueryClient, place: OrderPlace, shop: Shop): Promise<Losses> {
  const cart = client.getQueryData<Schema<'Cart'>>(keys.cart(place.cityId));
  if (place.orderType === 'takeaway' || !cart || cart.count === 0) return { products: [] };
  const at = { city_id: shop.city_id, order_type: 'takeaway', shop_id: shop.id } as const;
  const { interval } = cart;
  // As soon as possible is not compared: it is no promise of a time.
  const asked = interval && !interval.asap ? interval.date_string : undefined;
  const [menu, times] = await Promise.all([
    client.fetchQuery(menuQuery(at)),
    asked && fetchData(api.POST('/schedule/intervals', { body: { ...at, date: asked } })),
  ]);
  return lossesAt(cart, menu, times || undefined);
}
