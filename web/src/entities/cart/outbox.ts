import { api } from '@/api/client';
import { type IdempotencyHeader, idempotency } from '@/api/idempotency';
import { attempt, type Failure, type Result } from '@/api/result';
import { repeatUntilKnown, steadyPause } from '@/api/retry';
import type { Schema } from '@/api/types';
import { createStore, type Store } from '@/lib/store';
import { type Change, mergeChange, type PlacedChange } from './changes';

type Cart = Schema<'Cart'>;
type Answer = Result<Schema<'CartAnswer'>>;
type Place = Schema<'Place'>;

/** How long a counter must stay unchanged before its change is sent, in milliseconds. */
export const debounceMs = 450;

/** Sends a change again every three seconds, unless the server names another pause. */
const retryPolicy = steadyPause(3000);

/** The changes that the server has not answered. */
export interface OutboxState {
  /** The visitor's changes that no answer has confirmed, oldest first. */
  changes: readonly PlacedChange[];
  /** Whether any call is not answered yet, for changes of lines or others. */
  isBusy: boolean;
  /** Why the oldest call failed, while it is being retried. */
  retrying?: Failure;
}

/** The change and the callbacks of a call. */
interface CallOptions {
  /** The change of a line that the call sends. */
  change?: PlacedChange;
  /** Called when the call was accepted and no other call is pending. */
  onAccepted?: (cart: Cart) => void;
  /** Called once when the server has accepted or refused the call, after `onCart`. */
  onDecided?: () => void;
}

/**
 * Reports whether a change was refused because a sign-in replaced the session at that moment. Such a conflict
 * has neither a cart nor fields, and the same change is accepted with the new session.
 */
const isSessionRotated = (result: Answer) =>
  result.kind === 'conflict' && !result.cart && Object.keys(result.fields).length === 0;

/** A call that the server has not answered. `send` makes the same request with the same key each time. */
interface PendingCall extends CallOptions {
  send: () => Promise<Answer>;
}

interface Listeners {
  /** Returns the server's key of a changed line, or the line's own until the server has assigned one. */
  keyNow: (change: Change) => string;
  /** Called with a cart of the server that replaces the former one. */
  onCart: (cart: Cart) => void;
  /** Called when the server has refused a call, after its change of a line was dropped. */
  onRefusal: (failure: Failure, change: Change | undefined) => void;
  /** Called when a call has failed for the first time; it is retried from then on. */
  onRetrying: (failure: Failure) => void;
}

/**
 * Sends the visitor's changes of one city's cart one after another, so that answers arrive in order. Changes of
 * a count are debounced for `debounceMs` and sent as a difference. A call that is repeated keeps its idempotency
 * key, so that a lost answer does not count twice.
 */
export class Outbox {
  readonly state: Store<OutboxState> = createStore<OutboxState>({ changes: [], isBusy: false });
  readonly #listeners: Listeners;
  #waiting: readonly PlacedChange[] = [];
  #debounced = new Map<string, { timer: ReturnType<typeof setTimeout>; post: () => void }>();
  #queue: readonly PendingCall[] = [];
  #retrying?: Failure;
  #isDelivering = false;
  #lastSerialized: Promise<unknown> = Promise.resolve();
  #settled: (() => void)[] = [];

  constructor(listeners: Listeners) {
    this.#listeners = listeners;
  }

  /** Accepts a change of a line's count; it is sent once the count has not changed for `debounceMs`. */
  count(change: Change, place: Place, onAccepted?: CallOptions['onAccepted']): void {
    const { lineKey } = change;
    clearTimeout(this.#debounced.get(lineKey)?.timer);
    this.#waiting = mergeChange(this.#waiting, { ...change, place });
    const post = () => this.#postWaiting(lineKey, onAccepted);
    this.#debounced.set(lineKey, { timer: setTimeout(post, debounceMs), post });
    this.#publish();
  }

  /** Removes a whole line, at once. Its changes that were not sent yet are dropped. */
  removeLine(change: Change, place: Place, onAccepted?: CallOptions['onAccepted']): void {
    this.#dropLine(change.lineKey);
    this.postChange({ ...change, place }, onAccepted);
  }

  /** Adds the call of a change to the queue. A change that was posted before is not counted twice under its header. */
  postChange(
    change: PlacedChange,
    onAccepted?: CallOptions['onAccepted'],
    header = idempotency(),
  ): void {
    const sent = { ...change, header };
    this.post(() => this.#sendChange(sent), { change: sent, onAccepted });
  }

  /** Adds a call to the end of the queue and starts to send it. */
  post(call: (header: IdempotencyHeader) => Promise<Answer>, options: CallOptions = {}): void {
    const header = idempotency();
    this.#queue = [...this.#queue, { ...options, send: () => call(header) }];
    this.#publish();
    void this.#deliver();
  }

  /** Runs a call after the calls before it have ended, so that its answer has no older cart than theirs. */
  serialize<T>(call: () => Promise<T>): Promise<T> {
    const run = this.#lastSerialized.then(call, call);
    this.#lastSerialized = run.catch(() => undefined);
    return run;
  }

  /** Sends every change at once, because the page is left: those that wait for an answer or a retry too. */
  leave(): void {
    this.flush();
    // The first may be on its way: the server counts both as one, by their key.
    for (const { send } of this.#queue) void send();
  }

  /** Sends the debounced changes at once. */
  flush(): void {
    for (const { timer, post } of [...this.#debounced.values()]) {
      clearTimeout(timer);
      post();
    }
  }

  /** Sends the debounced changes and waits until no call is pending. Refused changes count as settled. */
  settle(): Promise<void> {
    this.flush();
    if (!this.state.get().isBusy) return Promise.resolve();
    return new Promise((resolve) => this.#settled.push(resolve));
  }

  /** Drops every change that was not sent yet; for a cart that is emptied. */
  dropWaiting(): void {
    for (const { timer } of this.#debounced.values()) clearTimeout(timer);
    this.#debounced.clear();
    this.#waiting = [];
    this.#publish();
  }

  /** Posts the debounced change of a line. */
  #postWaiting(lineKey: string, onAccepted?: CallOptions['onAccepted']): void {
    this.#debounced.delete(lineKey);
    const change = this.#waiting.find((other) => other.lineKey === lineKey);
    if (!change) return;
    this.#waiting = this.#waiting.filter((other) => other !== change);
    this.postChange(change, onAccepted);
  }

  /** Sends a change: it adds or removes portions, or the whole line. */
  #sendChange(change: PlacedChange): Promise<Answer> {
    const { place, productKey, modifiers, delta, header } = change;
    const rest = { params: { header }, keepalive: true };
    const body = { ...place, product_key: this.#listeners.keyNow(change) };
    if (delta === 'all') return attempt(api.PUT('/cart/forget', { body, ...rest }));
    if (delta < 0) {
      return attempt(api.PUT('/cart/remove', { body: { ...body, count: -delta }, ...rest }));
    }
    const added = { ...place, product_key: productKey, count: delta, modifiers: [...modifiers] };
    return attempt(api.PUT('/cart/add', { body: added, ...rest }));
  }

  /** Drops the changes of a line that were not sent yet. */
  #dropLine(lineKey: string): void {
    clearTimeout(this.#debounced.get(lineKey)?.timer);
    this.#debounced.delete(lineKey);
    this.#waiting = this.#waiting.filter((other) => other.lineKey !== lineKey);
  }

  /** Sends the calls of the queue one after another until it is empty; does nothing while it runs already. */
  async #deliver(): Promise<void> {
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    for (let next = this.#queue[0]; next; next = this.#queue[0]) {
      const call = next;
      const send = () => this.serialize(() => this.#send(call));
      await repeatUntilKnown(send, { policy: retryPolicy });
    }
    this.#isDelivering = false;
  }

  /**
   * Sends a call once, or twice when a sign-in replaced the session, and concludes it when its result is final;
   * otherwise publishes that it is being retried.
   */
  async #send(call: PendingCall): Promise<Answer> {
    let result = await call.send();
    if (isSessionRotated(result)) result = await call.send();
    // The number of attempts has no influence on a steady policy.
    if (result.kind === 'ok' || retryPolicy(result, 1) === undefined) {
      this.#conclude(call, result);
      return result;
    }
    const isFirst = this.#retrying === undefined;
    this.#retrying = result;
    this.#publish();
    if (isFirst) this.#listeners.onRetrying(result);
    return result;
  }

  /** Removes a decided call from the queue and passes its result on to the listeners. */
  #conclude(call: PendingCall, result: Answer): void {
    this.#retrying = undefined;
    this.#queue = this.#queue.filter((other) => other !== call);
    // A refused line shows the server's count again; its other changes are not sent.
    if (result.kind !== 'ok' && call.change) this.#dropLine(call.change.lineKey);
    if (result.kind === 'ok') this.#listeners.onCart(result.data.cart);
    else if (result.kind === 'conflict' && result.cart) this.#listeners.onCart(result.cart);
    call.onDecided?.();
    this.#publish();
    if (result.kind !== 'ok') this.#listeners.onRefusal(result, call.change);
    else if (!this.state.get().isBusy) call.onAccepted?.(result.data.cart);
  }

  /** Publishes the state, and resolves the waiting `settle` calls when no call is pending. */
  #publish(): void {
    const sent = this.#queue.flatMap(({ change }) => change ?? []);
    const isBusy = this.#queue.length > 0 || this.#waiting.length > 0;
    this.state.set({ changes: [...sent, ...this.#waiting], isBusy, retrying: this.#retrying });
    if (!isBusy) for (const resolve of this.#settled.splice(0)) resolve();
  }
}
