import {
  type QueryClient,
  useIsMutating,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { api } from '@/api/client';
import { keys } from '@/api/keys';
import { ApiFault, attempt, fetchData, type Result } from '@/api/result';
import { repeatLost, repeatUntilKnown } from '@/api/retry';
import type { Schema } from '@/api/types';
import { storeCart, useChangeCart } from '@/entities/cart/queries';
import { longestWait, settlesWithin } from '@/entities/cart/settles-within';
import { menuQuery } from '@/entities/menu/queries';
import { type OrderPlace, setPlace, usePlace } from '@/entities/place/place';
import { addressesQuery } from '@/entities/place/queries';
import { showFault } from '@/ui/feedback/show-failure';
import { openModal } from '@/ui/modals/modal-store';
import { type Losses, losesNothing, lossesAt } from './losses';

type Shop = Schema<'Shop'>;
type AddressChoice = Schema<'AddressChoice'>;

/** The address to choose: a typed text, or a tapped point, which may have a typed address that was not found. */
export type Target =
  | { kind: 'text'; address: string }
  | { kind: 'point'; coordinates: Schema<'Coordinates'>; address?: string };

/** The key of the calls that choose a place. */
const choiceKey = ['choose-place'] as const;

/**
 * Reports whether a place is being chosen. Another choice must wait for the answer, since answers that overtake
 * each other would leave the earlier place.
 */
export const useIsChoosing = (): boolean => useIsMutating({ mutationKey: choiceKey }) > 0;

/**
 * Returns `choose`, which chooses a shop for takeaway, after a confirmation when dishes or the time would be
 * lost, and `busyId`, the id of the shop that is being chosen. It shows failures and never rejects. It does nothing
 * while a place is being chosen.
 */
export function useChooseShop(onChosen: () => void) {
  const client = useQueryClient();
  const place = usePlace();
  const sendChoice = useSendChoice();
  const set = useMutation({
    mutationKey: choiceKey,
    mutationFn: async ({ id }: Shop) => {
      const result = await sendChoice(() =>
        attempt(api.POST('/shops/set', { body: { shop_id: id } })),
      );
      if (result.kind !== 'ok') throw new ApiFault(result);
      return result.data;
    },
    onSuccess: (choice) => {
      storeShopChoice(client, choice);
      onChosen();
    },
    onError: showFault,
  });
  const compare = useMutation({
    mutationKey: choiceKey,
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
  const choose = async (shop: Shop) => {
    if (client.isMutating({ mutationKey: choiceKey }) > 0) return;
    // The failure has been shown already.
    await checkAndSet(shop).catch(() => undefined);
  };
  const underway = [compare, set].find(({ isPending }) => isPending);
  return { choose, busyId: underway?.variables?.id };
}

/**
 * Returns calls that choose the address of a delivery. They resolve to undefined on success, otherwise to the
 * failure.
 */
export function useChooseAddress() {
  const client = useQueryClient();
  const sendChoice = useSendChoice();
  const { mutateAsync: run, isPending } = useMutation({
    mutationKey: choiceKey,
    mutationFn: async (call: () => Promise<Result<AddressChoice>>) => {
      const result = await sendChoice(call);
      if (result.kind !== 'ok') return result;
      storeAddressChoice(client, result.data);
      return undefined;
    },
  });

  return {
    isBusy: isPending,
    byTarget: (cityId: number, target: Target, details: Schema<'AddressDetails'>) =>
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

/**
 * Returns a function that sends a choice, again while its answer is lost: a place that is chosen twice is chosen once.
 * Changes of the cart are sent before, because each names the place where it was made, and the cart moves there.
 */
function useSendChoice() {
  const { settle } = useChangeCart();
  return async <T>(send: () => Promise<Result<T>>): Promise<Result<T>> =>
    (await settlesWithin(settle, longestWait))
      ? repeatUntilKnown(send, { policy: repeatLost })
      : { kind: 'offline' };
}

/** Stores the answer to the choice of a shop: menu and cart in the cache, and the place. */
function storeShopChoice(client: QueryClient, { shop, cart, ...menu }: Schema<'ShopChoice'>) {
  const at = { city_id: shop.city_id, order_type: 'takeaway', shop_id: shop.id } as const;
  // The menu first, so that listeners of the new place find its menu.
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
  // The menu first, so that listeners of the new place find its menu.
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
 * Loads the menu of a shop, and its times if needed, and returns the losses of takeaway there. Nothing is lost when
 * takeaway is chosen already or the cart is empty.
 */
async function loadLosses(client: QueryClient, place: OrderPlace, shop: Shop): Promise<Losses> {
  const cart = client.getQueryData<Schema<'Cart'>>(keys.cart(place.cityId));
  if (place.orderType === 'takeaway' || !cart || cart.count === 0) return { products: [] };
  const at = { city_id: shop.city_id, order_type: 'takeaway', shop_id: shop.id } as const;
  const { interval } = cart;
  // "As soon as possible" is not compared, because it promises no time.
  const chosenDate = interval && !interval.asap ? interval.date_string : undefined;
  const [menu, times] = await Promise.all([
    client.fetchQuery(menuQuery(at)),
    chosenDate && fetchData(api.POST('/schedule/intervals', { body: { ...at, date: chosenDate } })),
  ]);
  return lossesAt(cart, menu, times || undefined);
}
