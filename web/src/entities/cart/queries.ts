import { useLingui } from '@lingui/react/macro';
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { api } from '@/api/client';
import { keys } from '@/api/keys';
import { ApiFault, fetchData } from '@/api/result';
import { noteServerClock } from '@/api/server-clock';
import type { Schema } from '@/api/types';
import { useCity } from '@/entities/city/context';
import {
  followCart,
  isPlaceChosen,
  type OrderPlace,
  placeOf,
  toQuery,
  usePlace,
} from '@/entities/place/place';
import { announce } from '@/ui/feedback/announcer';
import { useHydrated } from '@/ui/hooks/use-hydrated';
import { openModal } from '@/ui/modals/modal-store';
import { useMoney } from '@/ui/money';
import { noteCartLate } from './acknowledged/note-late';
import {
  type Change,
  lineKeyNow,
  lineKeyOf,
  nameOf,
  type ShownLine,
  showLines,
  sumCounts,
} from './changes';
import { LinePositions } from './line-positions';
import { Outbox, type OutboxState } from './outbox';
import { alwaysTaken } from './rules';
import { readSeenCart, writeSeenCart } from './seen-cart';
import { placeReason, showRefusal, showRetrying } from './show-refusal';

type Cart = Schema<'Cart'>;
type Key = Schema<'ProductKey'>;
type Chosen = Schema<'ChosenModifier'>;

/** The visitor's cart in a city, priced for the place that they have chosen there. */
export const cartQuery = (city: Schema<'City'>) =>
  queryOptions({
    queryKey: keys.cart(city.id),
    queryFn: async ({ client, signal }) => {
      // The current place: a part of the page that hydrated late may have set these options.
      const load = async () => {
        const request = api.PUT('/cart', { body: toQuery(placeOf(city)), signal });
        const answer = await fetchData(request);
        noteServerClock((await request).response);
        return answer;
      };
      const { cart } = await cartSessionOf(client, city.id)
        .outbox.serialize(load)
        .catch((error: unknown) => {
          const isOffline = error instanceof ApiFault && error.failure.kind === 'offline';
          if (isOffline) showSeenCart(client, city.id);
          throw error;
        });
      followCart(cart);
      noteSeen(cart);
      return cart;
    },
  });

/**
 * Stores a cart that another answer contained (an address, a shop, a repeat, a conflict) in the cache, and
 * follows its place.
 */
export function storeCart(client: QueryClient, cart: Cart): void {
  // A load that began earlier would bring an older cart.
  void client.cancelQueries({ queryKey: keys.cart(cart.city_id) });
  client.setQueryData(keys.cart(cart.city_id), cart);
  followCart(cart);
  noteSeen(cart);
}

/** Stores the cart on the device for offline reading, and passes it to the comparison of carts. */
function noteSeen(cart: Cart): void {
  writeSeenCart(cart);
  noteCartLate(cart);
}

/**
 * Puts the cart that the device has stored into the cache, if there is none, so that it is shown and ordered like one
 * of the server. It counts as outdated.
 */
function showSeenCart(client: QueryClient, cityId: number): void {
  client.setQueryData<Cart>(keys.cart(cityId), (cart) => cart ?? readSeenCart(cityId), {
    updatedAt: 1,
  });
}

/** Returns the cart as the visitor sees it, and loads it again when the visitor chooses another place. */
export function useCart() {
  const client = useQueryClient();
  const place = usePlace();
  // Before hydration the device's place is not known: the call would move the cart to the city's first place.
  const isHydrated = useHydrated();
  const query = useQuery({ ...cartQuery(useCity()), enabled: isHydrated });
  const { isPending, isError, refetch } = query;
  // A part that hydrates late has to begin as the document shows it, without a cart.
  const cart = isHydrated ? query.data : undefined;
  useFollowPlace(client, place, cart);
  const { outbox, positions } = cartSessionOf(client, place.cityId);
  const { state } = outbox;
  const { changes, isBusy } = useSyncExternalStore(state.subscribe, state.get, getIdleState);
  const lines = useMemo(() => showLines(cart, changes, positions.all), [cart, changes, positions]);
  return {
    /** The cart as the server last sent it, with its sums. Undefined until the first answer. */
    cart,
    /** The lines with the visitor's own counts. */
    lines,
    /** Portions in the lines. */
    count: sumCounts(lines),
    /** Whether the sums do not include the visitor's last change yet: show them dimmed. */
    isChanging: isBusy,
    isLoading: (isPending && !cart) || !isHydrated,
    isFailed: isError && !cart,
    reload: () => void refetch(),
  };
}

/**
 * Returns the parts that a change of the cart needs: the place, the outbox, and the announcement of the total. The
 * component does not render again when the place changes: it is read with each change.
 */
export function useCartSession() {
  const client = useQueryClient();
  const { t } = useLingui();
  const money = useMoney();
  const city = useCity();
  const placeNow = () => placeOf(city);
  return {
    ...cartSessionOf(client, city.id),
    client,
    cityId: city.id,
    placeNow,
    whereNow: () => toQuery(placeNow()),
    /** Announces the count and the total once. */
    announceTotal: ({ count, prices }: Cart) => {
      const total = money(prices.total);
      announce(t({ id: 'cart.queries.in-cart', message: `In the cart: ${count}, total ${total}` }));
    },
  };
}

/** Returns the changes that can be made to the cart. Counts change at once and are sent debounced. */
export function useChangeCart() {
  const { client, cityId, placeNow, whereNow, outbox, deferred, positions, announceTotal } =
    useCartSession();

  const cart = () => client.getQueryData<Cart>(keys.cart(cityId));
  const linesNow = () => showLines(cart(), outbox.state.get().changes, positions.all);

  /**
   * Sends a change of a count. An addition is deferred, and the choice of a place opens, when neither the visitor nor
   * the loaded cart has a place. While the cart is not loaded, the addition is sent: the server decides.
   */
  const changeCount = (change: Change & { delta: number }) => {
    const known = cart();
    const place = placeNow();
    if (change.delta > 0 && known && !isPlaceChosen(place) && !hasPlace(known)) {
      deferred.set(change.lineKey, change);
      openModal('order-types', { orderType: place.orderType, hasDish: true });
    } else {
      outbox.count(change, toQuery(place), announceTotal);
    }
  };

  /** Sends a change of a line by some portions; no portions are left where there are fewer than are to be removed. */
  const changeLine = (line: Omit<ShownLine, 'isPending'>, portions: number) => {
    const { key: lineKey, productKey, modifiers } = line;
    const delta = Math.max(-line.count, portions);
    if (delta !== 0) changeCount({ lineKey, productKey, modifiers, delta });
  };

  return {
    /** Adds portions of a product to the line with these modifiers. */
    add(productKey: Key, portions = 1, modifiers: readonly Chosen[] = []) {
      const lineKey = lineKeyOf(cart(), productKey, modifiers);
      changeCount({ lineKey, productKey, modifiers, delta: portions });
    },
    /** Sets the count of a line; nothing changes when the line is not in the cart. */
    setCount(lineKey: Key, wanted: number) {
      const line = linesNow().find(({ key }) => key === lineKey);
      if (line) changeLine(line, wanted - line.count);
    },
    /**
     * Sets the count of a product in all of its lines: the line that was added last changes. A product that is not in
     * the cart is added with the modifiers that are always taken.
     */
    setProductCount(product: Schema<'Product'>, wanted: number) {
      const { key: productKey } = product;
      const lines = linesNow().filter((line) => line.productKey === productKey);
      const modifiers = alwaysTaken(product);
      const newLine = { key: lineKeyOf(cart(), productKey, modifiers), productKey, modifiers };
      changeLine(lines.at(-1) ?? { ...newLine, count: 0 }, wanted - sumCounts(lines));
    },
    /** Removes a whole line. */
    removeLine(lineKey: Key) {
      const line = linesNow().find(({ key }) => key === lineKey);
      if (!line) return;
      positions.release(nameOf(line));
      outbox.removeLine({ ...line, lineKey, delta: 'all' }, whereNow(), announceTotal);
    },
    /** Restores a removed line at its former position. */
    restoreLine(line: ShownLine) {
      const { productKey, modifiers, count: portions, addedAt } = line;
      if (addedAt) positions.keep(nameOf(line), addedAt);
      const lineKey = lineKeyOf(cart(), productKey, modifiers);
      changeCount({ lineKey, productKey, modifiers, delta: portions });
    },
    /** Waits until the server has answered every change; must be awaited before an order is made. */
    settle: () => outbox.settle(),
  };
}

/** Reports whether the server's cart has a place. */
const hasPlace = ({ shop, delivery_address }: Cart) =>
  shop !== undefined || delivery_address !== undefined;

/** The state of the page about one city's cart, besides the cart. */
interface CartSession {
  outbox: Outbox;
  /** Additions that wait until a place is chosen, by line. */
  deferred: Map<Key, Change>;
  /** The former positions of restored lines. */
  positions: LinePositions;
}

const sessions = new WeakMap<QueryClient, Map<number, CartSession>>();

/** Returns the session of a city's cart; there is one for each cache. */
function cartSessionOf(client: QueryClient, cityId: number): CartSession {
  const known = sessions.get(client) ?? new Map<number, CartSession>();
  sessions.set(client, known);
  const session = known.get(cityId) ?? openCartSession(client, cityId);
  known.set(cityId, session);
  return session;
}

/**
 * Runs a call while no change of any cart is being sent; changes made during the call are sent after it. It is for a
 * sign-in, which moves the guest's carts to the customer: a concurrent change would be refused.
 */
export function holdCartChanges<T>(client: QueryClient, call: () => Promise<T>): Promise<T> {
  // Each outbox waits for its own change, then for the next outbox; the innermost runs the call.
  let held = call;
  for (const { outbox } of sessions.get(client)?.values() ?? []) {
    const inner = held;
    held = () => outbox.serialize(inner);
  }
  return held();
}

/** Begins the cart session of a city: its outbox, and the changes that wait for a place. */
function openCartSession(client: QueryClient, cityId: number): CartSession {
  const deferred: CartSession['deferred'] = new Map();
  const outbox = new Outbox({
    keyNow: (change) => lineKeyNow(client.getQueryData(keys.cart(cityId)), change),
    onCart: (cart) => storeCart(client, cart),
    onRefusal: (failure, change) => {
      if (change && placeReason(failure) !== undefined) deferred.set(change.lineKey, change);
      showRefusal(failure);
      // A conflict contains the fresh cart, and an invalid call that changes no line changes nothing.
      // After other failures the change may have been made, or the last work hour may have begun.
      const isUpToDate = failure.kind === 'conflict' || (failure.kind === 'invalid' && !change);
      if (!isUpToDate) void client.invalidateQueries({ queryKey: keys.cart(cityId) });
    },
    onRetrying: showRetrying,
  });
  if (typeof window !== 'undefined') addEventListener('pagehide', () => outbox.leave());
  return { outbox, deferred, positions: new LinePositions(cityId) };
}

/**
 * Follows the visitor's choice of a place: sends the changes that waited for it, and loads the cart again
 * unless the answer to the choice contained it.
 */
function useFollowPlace(client: QueryClient, place: OrderPlace, cart: Cart | undefined) {
  const { cityId, orderType, shopId, zoneId } = place;
  const placeKey = `${cityId} ${orderType} ${shopId} ${zoneId}`;
  const before = useRef(placeKey);
  useEffect(() => {
    if (before.current === placeKey) return;
    before.current = placeKey;
    const { outbox, deferred } = cartSessionOf(client, cityId);
    if (isPlaceChosen(place)) {
      for (const change of deferred.values()) outbox.count(change, toQuery(place));
      deferred.clear();
    }
    if (cart && isCartAt(cart, orderType === 'takeaway' ? shopId : zoneId, orderType)) return;
    void client.invalidateQueries({ queryKey: keys.cart(cityId) });
  }, [client, cart, place, placeKey, cityId, orderType, shopId, zoneId]);
}

const idleState: OutboxState = { changes: [], isBusy: false };
const getIdleState = () => idleState;

/** Reports whether the cart is of the order type at the shop or in the zone with the id. */
const isCartAt = (cart: Cart, id: number | undefined, orderType: Schema<'OrderType'>) =>
  cart.order_type === orderType &&
  (orderType === 'takeaway' ? cart.shop?.id : cart.delivery_address?.delivery_zone_id) === id;
