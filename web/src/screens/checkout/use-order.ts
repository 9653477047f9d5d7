import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { api } from '@/api/client';
import { keys } from '@/api/keys';
import { attempt, type Failure } from '@/api/result';
import { repeatLost, repeatUntilKnown } from '@/api/retry';
import type { Schema } from '@/api/types';
import { changesAtOrder } from '@/entities/cart/acknowledged/changes-since';
import { refuseOrder } from '@/entities/cart/acknowledged/store';
import { storeCart, useChangeCart } from '@/entities/cart/queries';
import { settlesWithin } from '@/entities/cart/settles-within';
import { toQuery, usePlace } from '@/entities/place/place';
import { requireSignIn } from '@/entities/session/require-sign-in';
import { dropUser } from '@/entities/session/session';
import { showFailure } from '@/ui/feedback/show-failure';
import { flash } from '@/ui/flash/flash-store';
import { placeOrder, readPendingOrder, writePendingOrder } from './send-order';
import { useShowAfterLeaving } from './use-show-after-leaving';

type Cart = Schema<'Cart'>;
type Order = Schema<'OrderCreate'>;

/** An order is not sent when changes of the cart have taken longer than this, in milliseconds. */
const longestSettle = 30_000;

/** The state of placing the order. */
export type OrderPhase =
  /** The customer fills in the form. */
  | { kind: 'open' }
  | { kind: 'sending' }
  /** An answer was lost; the same order is being sent again. `isResumed` when the page was opened only since. */
  | { kind: 'checking'; isResumed?: boolean }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'placed' };

/** The parts of an order that come from the form, not from the cart. */
export type OrderDetails = Pick<
  Order,
  | 'phone'
  | 'username'
  | 'email'
  | 'payment_type'
  | 'cash'
  | 'order_comment'
  | 'delivery_address'
  | 'allergens'
  | 'consents'
  | 'captcha_user_token'
>;

interface Listeners {
  /** Called when the order was placed; `key` leads to the payment of one that waits for it. */
  onPlaced: (order: Schema<'OrderCreated'>, key: string) => void;
  /** Called when an order of this cart was placed and paid already. */
  onPaidAlready: (orderId: number) => void;
  /** Called with the server's errors of single fields, by the server's field names. */
  onFields: (fields: Record<string, string>) => void;
}

/**
 * Returns the phase of the order and the function that sends it. Pressing twice sends one order. Nothing is sent
 * without a network, when changes of the cart take too long, or when the total has changed since the press: the
 * customer then presses again. When the page opens, an order whose outcome was unknown when the page was left is
 * sent again under its key. A failure after the customer has left the checkout is shown over the page that they
 * are on. When the browser restores the page after Back, the form is open again.
 */
export function useOrder({ onPlaced, onPaidAlready, onFields }: Listeners) {
  const client = useQueryClient();
  const place = usePlace();
  const { settle } = useChangeCart();
  const [phase, setPhase] = useState<OrderPhase>({ kind: 'open' });
  const showAfterLeaving = useShowAfterLeaving();
  const { run, release } = useSingleRun();
  const { cityId } = place;

  const conclude = useFailureHandler(cityId, {
    setPhase,
    showAfterLeaving,
    onPaidAlready,
    onFields,
  });

  const deliver = async (order: Order, seen: Cart | undefined) => {
    writePendingOrder(cityId, order);
    const outcome = await placeOrder(order, { onUncertain: () => setPhase({ kind: 'checking' }) });
    writePendingOrder(cityId, undefined);
    if (outcome.kind !== 'ok') {
      conclude(outcome, seen);
      return;
    }
    setPhase({ kind: 'placed' });
    onPlaced(outcome.data, order.order_cache_key);
    // An order that waits for its payment leaves the cart as it is.
    if (outcome.data.status !== 'waiting_for_payment') emptyCart(client, cityId);
  };

  const send = (details: OrderDetails) =>
    run(async () => {
      // Without a network nothing is sent, not even when it comes back: the customer presses again.
      const noNetwork: Failure = { kind: 'offline' };
      if (!navigator.onLine) {
        showFailure(noNetwork);
        return;
      }
      setPhase({ kind: 'sending' });
      const seen = cartIn(client, cityId);
      if (!(await settlesWithin(settle, longestSettle))) {
        setPhase({ kind: 'open' });
        showFailure(noNetwork);
        return;
      }
      const cart = cartIn(client, cityId);
      if (!seen || !cart || seen.prices.total !== cart.prices.total) {
        const changes = seen && cart ? changesAtOrder(seen, cart) : [];
        refuseOrder(cityId, { message: '', changes });
        setPhase({ kind: 'open' });
        showAfterLeaving();
        return;
      }
      const where = toQuery(place);
      // A checkout that is begun again releases what the lost one held.
      const begun = await repeatUntilKnown(
        () => attempt(api.POST('/order/create-order-cache', { body: where })),
        { policy: repeatLost },
      );
      if (begun.kind !== 'ok') {
        conclude(begun, seen);
        return;
      }
      await deliver({ ...details, ...toPlaceAndCart(where, begun.data, seen, cart) }, cart);
    });

  const resume = useEffectEvent((city: number) => {
    const pending = readPendingOrder(city);
    if (!pending) return;
    void run(async () => {
      setPhase({ kind: 'checking', isResumed: true });
      await deliver(pending, cartIn(client, city));
    });
  });
  useEffect(() => resume(cityId), [cityId]);

  useShownAgain(() => {
    release();
    setPhase({ kind: 'open' });
    void client.invalidateQueries();
  });

  return { phase, send };
}

/**
 * Returns `run`, which runs one piece of work at a time and ignores further calls until that work ends, and
 * `release`, which allows the next call at once.
 */
function useSingleRun() {
  const isRunning = useRef(false);
  const run = async (work: () => Promise<void>) => {
    if (isRunning.current) return;
    isRunning.current = true;
    await work();
    isRunning.current = false;
  };
  const release = () => {
    isRunning.current = false;
  };
  return { run, release };
}

interface FailureListeners extends Pick<Listeners, 'onPaidAlready' | 'onFields'> {
  setPhase: (phase: OrderPhase) => void;
  showAfterLeaving: (failure: Failure) => void;
}

/**
 * Returns a function that handles a failed order: it sets the phase, shows errors at the fields, loads outdated
 * data again, or opens the sign-in.
 */
function useFailureHandler(
  cityId: number,
  { setPhase, showAfterLeaving, onPaidAlready, onFields }: FailureListeners,
) {
  const client = useQueryClient();
  return (failure: Failure, seen: Cart | undefined) => {
    if (failure.kind === 'conflict' && failure.orderId !== undefined) {
      setPhase({ kind: 'open' });
      flash(failure.message, { tone: 'info' });
      void client.invalidateQueries({ queryKey: keys.cart(cityId) });
      onPaidAlready(failure.orderId);
    } else if (failure.kind === 'conflict' && failure.cart?.count === 0) {
      // The checkout closes: the cart was ordered or emptied elsewhere.
      setPhase({ kind: 'open' });
      flash(failure.message, { tone: 'warning' });
      storeCart(client, failure.cart);
    } else if (failure.kind === 'conflict') {
      const { cart: fresh, message, fields } = failure;
      if (fresh) storeCart(client, fresh);
      else void client.invalidateQueries({ queryKey: keys.cart(cityId) });
      const changes = fresh && seen ? changesAtOrder(seen, fresh) : [];
      const isAboutTime = fields.interval_id !== undefined;
      // The times on the screen are outdated.
      if (isAboutTime) void client.invalidateQueries({ queryKey: keys.intervals.all() });
      // A time that is only later than shown stays chosen: the message says both.
      const isLost = isAboutTime && !fresh?.interval;
      refuseOrder(cityId, { message, changes, isAboutTime: isLost });
      setPhase({ kind: 'open' });
      showAfterLeaving(failure);
    } else if (failure.kind === 'invalid' && Object.keys(failure.fields).length > 0) {
      setPhase({ kind: 'open' });
      onFields(failure.fields);
      showAfterLeaving(failure);
    } else if (failure.kind === 'unauthenticated') {
      // The session has ended, or guests may not order here: all that was filled in stays.
      setPhase({ kind: 'open' });
      if (!failure.isAnnounced && failure.message) flash(failure.message, { tone: 'info' });
      dropUser(client);
      requireSignIn('order');
    } else if (failure.kind === 'offline') {
      setPhase({ kind: 'open' });
      showFailure(failure);
    } else {
      setPhase({ kind: 'failed', failure });
      showAfterLeaving(failure);
    }
  };
}

/**
 * Calls `onShown` when the browser restores the page from its back-forward cache, as after Back from the payment
 * page.
 */
function useShownAgain(onShown: () => void) {
  const show = useEffectEvent(({ persisted }: PageTransitionEvent) => {
    if (persisted) onShown();
  });
  useEffect(() => {
    addEventListener('pageshow', show);
    return () => removeEventListener('pageshow', show);
  }, []);
}

/** Returns the part of the order that names its place and the cart that the customer saw. */
const toPlaceAndCart = (
  { city_id, order_type, shop_id }: ReturnType<typeof toQuery>,
  { order_cache_key }: Pick<Order, 'order_cache_key'>,
  seen: Cart,
  cart: Cart,
): Omit<Order, keyof OrderDetails> => ({
  city_id,
  order_type,
  shop_id,
  order_cache_key,
  interval_id: cart.interval?.id,
  promised_to: shownEnd(seen, cart),
  cart: { fingerprint: cart.fingerprint, prices: { total: cart.prices.total } },
});

/**
 * Returns the end of the time that the screen showed when the button was pressed. A time chosen shortly before
 * the press is only in the newer cart.
 */
function shownEnd({ interval: seen }: Cart, { interval }: Cart): string | undefined {
  const shown = seen?.id === interval?.id ? seen : interval;
  return shown && new Date(shown.end_timestamp * 1000).toISOString();
}

/** Returns the city's cart from the cache of queries. */
const cartIn = (client: QueryClient, cityId: number) =>
  client.getQueryData<Cart>(keys.cart(cityId));

const nothingToPay: Schema<'Prices'> = {
  subtotal: 0,
  delivery: 0,
  packages: 0,
  discount: 0,
  bonuses: 0,
  upcoming_bonuses: 0,
  total: 0,
};

/** Shows the cart as empty at once, since the server has emptied it with the order, and reads it again. */
function emptyCart(client: QueryClient, cityId: number): void {
  const cart = cartIn(client, cityId);
  if (!cart) return;
  storeCart(client, {
    ...cart,
    count: 0,
    products: {},
    packages: [],
    messages: [],
    gifts: [],
    presents: [],
    promocode: undefined,
    interval: undefined,
    minimum: undefined,
    prices: nothingToPay,
  });
  void client.invalidateQueries({ queryKey: keys.cart(cityId) });
}
