import { api } from '@/api/client';
import { type IdempotencyHeader, idempotency } from '@/api/idempotency';
import { attempt, type Failure, type Result } from '@/api/result';
import type { Schema } from '@/api/types';
import { createStore, type Store } from '@/lib/store';
import { type Change, mergeChange } from './changes';

type Cart = Schema<'Cart'>;
type Answer = Result<Schema<'CartAnswer'>>;
type Place = Schema<'Place'>;

/** How long the counter of a line has to rest before its change is sent, in milliseconds. */
export const restTime = 450;

/** How long to wait before the same change is sent again, in milliseconds, unless the server says. */
export const repeatTime = 3000;

/** What is on its way to the server. */
export interface OutboxState {
  /** The visitor's changes that no answer has confirmed, oldest first. */
  changes: readonly Change[];
  /** Whether anything is on its way, changes of lines or others. */
  isBusy: boolean;
  /** Why the oldest one cannot be delivered now; it is sent again by itself. */
  stuck?: Failure;
}

/** What belongs to a call beside the call itself. */
interface Delivery {
  /** The change of a line that it carries. */
  change?: Change;
  /** Called when it was accepted and nothing else is on its way. */
  onAccepted?: (cart: Cart) => void;
  /** Called once when the server has decided, together with the cart that it answers. */
  onDecided?: () => void;
}

/** Whether a change met a sign-in that was under way: with the new session it goes through. */
const isRotated = (result: Answer) =>
  result.kind === 'conflict' && !result.cart && Object.keys(result.fields).length === 0;

/** One call of the cart. `send` gives the same request with the same key each time. */
interface Letter extends Delivery {
  send: () => Promise<Answer>;
}

interface Listeners {
  /** The server's key of a changed line, as far as it has one by now. */
  keyNow: (change: Change) => string;
  /** A whole cart from the server that replaces the one before. */
  onCart: (cart: Cart) => void;
  /** The server refused; the change, if it was one of a line, is forgotten already. */
  onRefusal: (failure: Failure, change: Change | undefined) => void;
  /** The first failed delivery of a change that stays. */
  onStuck: (failure: Failure) => void;
}

/**
 * Sends the visitor's changes of one city's cart one after another, so that answers come in order.
 * A change of a count rests for `restTime` and then goes out as the difference; everything keeps its
 * idempotency key until the server has answered, so a lost answer never counts twice.
 */
export class Outbox {
  readonly state: Store<OutboxState> = createStore<OutboxState>({ changes: [], isBusy: false });
  readonly #listeners: Listeners;
  #waiting: readonly Change[] = [];
  #rests = new Map<string, { timer: ReturnType<typeof setTimeout>; post: () => void }>();
  #queue: readonly Letter[] = [];
  #stuck?: Failure;
  #isDelivering = false;
  #turn: Promise<unknown> = Promise.resolve();
  #settled: (() => void)[] = [];

  constructor(listeners: Listeners) {
    this.#listeners = listeners;
  }

  /** Notes a change of a line's count; sent when the line has rested. */
  count(change: Change, place: Place, onAccepted?: Delivery['onAccepted']): void {
    const { lineKey } = change;
    clearTimeout(this.#rests.get(lineKey)?.timer);
    this.#waiting = mergeChange(this.#waiting, change);
    const post = () => this.#postLine(lineKey, place, onAccepted);
    this.#rests.set(lineKey, { timer: setTimeout(post, restTime), post });
    this.#publish();
  }

  /** Takes a whole line out, at once. What was still waiting for it is dropped. */
  forget(change: Change, place: Place, onAccepted?: Delivery['onAccepted']): void {
    this.#dropLine(change.lineKey);
    const call = (header: IdempotencyHeader) => {
      const body = { ...place, product_key: this.#listeners.keyNow(change) };
      return attempt(api.PUT('/cart/forget', { body, params: { header }, keepalive: true }));
    };
    this.post(call, { change, onAccepted });
  }

  /** Puts a call behind the ones before it. */
  post(call: (header: IdempotencyHeader) => Promise<Answer>, delivery: Delivery = {}): void {
    const header = idempotency();
    this.#queue = [...this.#queue, { ...delivery, send: () => call(header) }];
    this.#publish();
    void this.#deliver();
  }

  /** Runs a call when no change is being sent, so that its cart is not older than theirs. */
  inTurn<T>(call: () => Promise<T>): Promise<T> {
    const run = this.#turn.then(call, call);
    this.#turn = run.catch(() => undefined);
    return run;
  }

  /** Sends everything that rests without waiting any longer. */
  flush(): void {
    for (const { timer, post } of [...this.#rests.values()]) {
      clearTimeout(timer);
      post();
    }
  }

  /** Sends what rests and waits until nothing is on its way; refused changes count as settled. */
  settle(): Promise<void> {
    this.flush();
    if (!this.state.get().isBusy) return Promise.resolve();
    return new Promise((resolve) => this.#settled.push(resolve));
  }

  /** Forgets every change that was not sent yet, for a cart that is emptied. */
  dropWaiting(): void {
    for (const { timer } of this.#rests.values()) clearTimeout(timer);
    this.#rests.clear();
    this.#waiting = [];
    this.#publish();
  }

  #postLine(lineKey: string, place: Place, onAccepted?: Delivery['onAccepted']): void {
    this.#rests.delete(lineKey);
    const change = this.#waiting.find((other) => other.lineKey === lineKey);
    if (!change || change.by === 'all') return;
    this.#waiting = this.#waiting.filter((other) => other !== change);
    this.post(this.#countCall(change, change.by, place), { change, onAccepted });
  }

  #countCall(change: Change, by: number, place: Place) {
    return (header: IdempotencyHeader): Promise<Answer> => {
      const rest = { params: { header }, keepalive: true };
      if (by < 0) {
        const body = { ...place, product_key: this.#listeners.keyNow(change), count: -by };
        return attempt(api.PUT('/cart/remove', { body, ...rest }));
      }
      const { productKey, modifiers } = change;
      const body = { ...place, product_key: productKey, count: by, modifiers: [...modifiers] };
      return attempt(api.PUT('/cart/add', { body, ...rest }));
    };
  }

  #dropLine(lineKey: string): void {
    clearTimeout(this.#rests.get(lineKey)?.timer);
    this.#rests.delete(lineKey);
    this.#waiting = this.#waiting.filter((other) => other.lineKey !== lineKey);
  }

  async #deliver(): Promise<void> {
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    for (let letter = this.#queue[0]; letter; letter = this.#queue[0]) {
      const current = letter;
      const stuck = await this.inTurn(() => this.#sendOnce(current));
      if (stuck) await untilWorthRepeating(stuck);
    }
    this.#isDelivering = false;
  }

  /** Sends a letter; answers why it stays when it could not be delivered. */
  async #sendOnce(letter: Letter): Promise<Failure | undefined> {
    let result = await letter.send();
    if (isRotated(result)) result = await letter.send();
    if (result.kind === 'offline' || result.kind === 'unavailable' || result.kind === 'tooMany') {
      const isFirst = this.#stuck === undefined;
      this.#stuck = result;
      this.#publish();
      if (isFirst) this.#listeners.onStuck(result);
      return result;
    }
    this.#stuck = undefined;
    this.#queue = this.#queue.filter((other) => other !== letter);
    // A refused line goes back to what the server has, with all that was still to be sent for it.
    if (result.kind !== 'ok' && letter.change) this.#dropLine(letter.change.lineKey);
    if (result.kind === 'ok') this.#listeners.onCart(result.data.cart);
    else if (result.kind === 'conflict' && result.cart) this.#listeners.onCart(result.cart);
    letter.onDecided?.();
    this.#publish();
    if (result.kind !== 'ok') this.#listeners.onRefusal(result, letter.change);
    else if (!this.state.get().isBusy) letter.onAccepted?.(result.data.cart);
    return undefined;
  }

  #publish(): void {
    const sent = this.#queue.flatMap(({ change }) => change ?? []);
    const isBusy = this.#queue.length > 0 || this.#waiting.length > 0;
    this.state.set({ changes: [...sent, ...this.#waiting], isBusy, stuck: this.#stuck });
    if (!isBusy) for (const resolve of this.#settled.splice(0)) resolve();
  }
}

/** Waits until the network is back or the time to try again has come, whichever is first. */
function untilWorthRepeating(failure: Failure): Promise<void> {
  const seconds = 'retryAfter' in failure ? failure.retryAfter : undefined;
  const pause = seconds === undefined ? repeatTime : seconds * 1000;
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, pause);
    addEventListener('online', done);
  });
}
