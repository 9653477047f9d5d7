import { useLingui } from '@lingui/react/macro';
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { api } from '@/api/client';
import { keys } from '@/api/keys';
import { ApiFault, attempt, fetchData } from '@/api/result';
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
      const { cart } = await cartSessionOf(client, city.id).outbox.serialize(load);
      followCart(cart);
      noteSeen(cart);
      return cart;
    },
  });

/** Puts into the cache a cart that came with another answer (an address, a shop, a repeat, a conflict). */
export function storeCart(client: QueryClient, cart: Cart): void {
  // A load that began earlier would bring an older cart.
  void client.cancelQueries({ queryKey: keys.cart(cart.city_id) });
  client.setQueryData(keys.cart(cart.city_id), cart);
  followCart(cart);
  noteSeen(cart);
}

/** Stores the cart that the visitor has seen, to compare later ones with it. The comparison is in a chunk of its own. */
function noteSeen(cart: Cart): void {
  writeSeenCart(cart);
  // When the chunk cannot be loaded, nothing is compared until the next cart.
  import('./acknowledged/store').then(({ noteCart }) => noteCart(cart)).catch(() => undefined);
}

/** Returns the cart as the visitor sees it. */
export function useCart() {
  const client = useQueryClient();
  const place = usePlace();
  // Before hydration the device's place is not known: the call would move the cart to the city's first place.
  const isHydrated = useHydrated();
  const query = useQuery({ ...cartQuery(useCity()), enabled: isHydrated });
  const { isPending, isError, refetch, failureReason } = query;
  const seen = useSeenCart(place.cityId, failureReason);
  // A part that hydrates late has to begin as the document shows it, without a cart.
  const cart = isHydrated ? (query.data ?? seen) : undefined;
  useFollowPlace(client, place, cart);
  const { outbox, positions } = cartSessionOf(client, place.cityId);
  const { state } = outbox;
  const { changes, isBusy } = useSyncExternalStore(state.subscribe, state.get, getIdleState);
  const lines = useMemo(() => showLines(cart, changes, positions.all), [cart, changes, positions]);
  return {
    /** As the server last sent it; all sums are its own. Undefined until the first answer. */
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

/** Returns the cart that was last seen in the city, when it could not be loaded for lack of a network. */
function useSeenCart(cityId: number, reason: Error | null): Cart | undefined {
  const isOffline = reason instanceof ApiFault && reason.failure.kind === 'offline';
  return useMemo(() => (isOffline ? readSeenCart(cityId) : undefined), [isOffline, cityId]);
}

/** Returns what a change of the cart needs: the place, and the outbox that sends changes one after another. */
export function useCartSession() {
  const client = useQueryClient();
  const { t } = useLingui();
  const money = useMoney();
  const place = usePlace();
  return {
    ...cartSessionOf(client, place.cityId),
    client,
    place,
    where: toQuery(place),
    /** Announces the count and the total once. */
    announceTotal: ({ count, prices }: Cart) => {
      const total = money(prices.total);
      announce(t({ id: 'cart.queries.in-cart', message: `In the cart: ${count}, total ${total}` }));
    },
  };
}

/** Returns the changes that can be made to the cart. Counts change at once and are sent debounced. */
export function useChangeCart() {
  const { t } = useLingui();
  const { client, place, where, outbox, deferred, positions, announceTotal } = useCartSession();
  const { cityId } = place;

  const cart = () => client.getQueryData<Cart>(keys.cart(cityId));
  const linesNow = () => showLines(cart(), outbox.state.get().changes, positions.all);

  /** Sends a change of a count, or asks first where the order goes: nothing is added without a place. */
  const changeCount = (change: Change & { delta: number }) => {
    const known = cart();
    if (change.delta > 0 && known && !isPlaceChosen(place) && !hasPlace(known)) {
      deferred.set(change.lineKey, change);
      openModal('order-types', {
        orderType: place.orderType,
        message: t({
          id: 'cart.queries.choose-where-order-goes',
          message: 'Choose delivery or takeaway first, and we will add the dish to your cart.',
        }),
      });
    } else {
      outbox.count(change, where, announceTotal);
    }
  };

  return {
    /** Puts portions of a product into the cart, in a line of their own for each choice of modifiers. */
    add(productKey: Key, portions = 1, modifiers: readonly Chosen[] = []) {
      const lineKey = lineKeyOf(cart(), productKey, modifiers);
      changeCount({ lineKey, productKey, modifiers, delta: portions });
    },
    /** Sets the count of a line. The key of a product that is not in the cart adds it without modifiers. */
    setCount(lineKey: Key, wanted: number) {
      const emptyLine = { key: lineKey, productKey: lineKey, modifiers: [], count: 0 };
      const line = linesNow().find(({ key }) => key === lineKey) ?? emptyLine;
      const { key, productKey, modifiers } = line;
      const delta = Math.max(0, wanted) - line.count;
      if (delta !== 0) changeCount({ lineKey: key, productKey, modifiers, delta });
    },
    /** Removes a whole line. */
    removeLine(lineKey: Key) {
      const line = linesNow().find(({ key }) => key === lineKey);
      if (!line) return;
      positions.release(nameOf(line));
      outbox.removeLine({ ...line, lineKey, delta: 'all' }, where, announceTotal);
    },
    /** Restores a removed line at its former position. */
    restoreLine(line: ShownLine) {
      const { productKey, modifiers, count: portions, addedAt } = line;
      if (addedAt) positions.keep(nameOf(line), addedAt);
      const lineKey = lineKeyOf(cart(), productKey, modifiers);
      changeCount({ lineKey, productKey, modifiers, delta: portions });
    },
    /** Removes everything. */
    clear() {
      outbox.dropWaiting();
      const query = { city_id: cityId };
      outbox.post((header) => attempt(api.DELETE('/cart/clear', { params: { query, header } })), {
        onAccepted: announceTotal,
      });
    },
    /** Sets whether the order goes without the packages that can be refused; calls onDecided once the server has answered. */
    setWithoutBag(withoutBag: boolean, onDecided: () => void) {
      const body = { ...where, without_bag: withoutBag };
      outbox.post(
        (header) => attempt(api.PUT('/cart/packages/bag', { body, params: { header } })),
        { onAccepted: announceTotal, onDecided },
      );
    },
    /** Chooses the time of the order by its id; undefined removes the choice. */
    setInterval(interval: string | undefined) {
      const body = { city_id: cityId, interval: interval ?? '' };
      outbox.post((header) => attempt(api.PUT('/cart/set-interval', { body, params: { header } })));
    },
    /** Waits until the server has answered every change; must be awaited before an order is made. */
    settle: () => outbox.settle(),
  };
}

/** Reports whether the server knows where the order goes. */
const hasPlace = ({ shop, delivery_address }: Cart) =>
  shop !== undefined || delivery_address !== undefined;

/** What the page keeps of one city's cart beside the cart itself. */
interface CartSession {
  outbox: Outbox;
  /** Additions that wait until it is known where the order goes, by line. */
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
 * Runs a call while no change of a cart is on its way: a sign-in takes the guest's carts with it, and
 * a change that meets it would be refused. Changes that are made during the call are sent after it.
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
  // A change that is still debounced when the page is left counts too.
  if (typeof window !== 'undefined') addEventListener('pagehide', () => outbox.flush());
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

const isCartAt = (cart: Cart, id: number | undefined, orderType: Schema<'OrderType'>) =>
  cart.order_type === orderType &&
  (orderType === 'takeaway' ? cart.shop?.id : cart.delivery_address?.delivery_zone_id) === id;
