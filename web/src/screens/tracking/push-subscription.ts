import { api } from '@/api/client';
import { ApiFault, attempt, type Failure, fetchData } from '@/api/result';
import { readStored, removeStored, writeStored } from '@/lib/storage';

/** Why a browser was not subscribed: the visitor or the browser has blocked it, or a call has failed. */
export type Refusal = 'blocked' | 'failed' | Failure;

/**
 * Reports whether this browser can receive messages at all; on Apple's phones only once the page is
 * installed.
 */
export const canSubscribe = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/**
 * Returns the storage key of the mark that this browser is subscribed to an order. A sign-out removes
 * the mark.
 */
const markOf = (orderId: number) => `order.messages.${orderId}`;

/** Reports whether the states of the order are sent to this browser. */
export const isSubscribed = (orderId: number): boolean =>
  Notification.permission === 'granted' &&
  readStored(markOf(orderId), (value) => value === true) === true;

/**
 * Asks for the permission, subscribes the browser to the states of the order, and stores a mark of it. Returns
 * the reason when that fails.
 */
export async function subscribe(orderId: number): Promise<Refusal | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return 'blocked';
  try {
    const { public_key: key } = await fetchData(api.GET('/push/key'));
    const { endpoint, keys } = (await subscribeBrowser(key)).toJSON();
    if (!endpoint || !keys?.p256dh || !keys.auth) return 'failed';
    const params = { path: { id: orderId } };
    const body = { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } };
    await fetchData(api.POST('/order/{id}/push', { params, body }));
  } catch (error) {
    return error instanceof ApiFault ? error.failure : 'failed';
  }
  writeStored(markOf(orderId), true);
  return undefined;
}

/** Subscribes the browser with the server's key; a subscription with another key is ended first. */
async function subscribeBrowser(key: string): Promise<PushSubscription> {
  await navigator.serviceWorker.register('/sw.js');
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    const other = await pushManager.getSubscription();
    if (!other) throw error;
    await other.unsubscribe();
    return pushManager.subscribe(options);
  }
}

/**
 * Ends the messages about an order and removes its mark. The browser's subscription stays for other orders.
 * Returns the failure, if any.
 */
export async function unsubscribe(orderId: number): Promise<Failure | undefined> {
  const result = await attempt(
    api.DELETE('/order/{id}/push', { params: { path: { id: orderId } } }),
  );
  if (result.kind !== 'ok') return result;
  removeStored(markOf(orderId));
  return undefined;
}
