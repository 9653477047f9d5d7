import type { Schema } from '@/api/types';
import { isSold } from '../rules';

type Cart = Schema<'Cart'>;
type Gift = Schema<'Gift'>;

/** A time that the customer chose, as far as is needed to say which one is gone. Unix seconds. */
export type AcknowledgedTime = Pick<
  Schema<'Interval'>,
  | 'id'
  | 'title'
  | 'date_string'
  | 'day_name'
  | 'formatted_string'
  | 'asap'
  | 'start_timestamp'
  | 'end_timestamp'
>;

/** What a customer last saw of their order and agreed to, in short; it is kept on the device. */
export interface AcknowledgedCart {
  /** Where the order went; delivery prices of two places are not one price that has changed. */
  place: string;
  isDelivery: boolean;
  lines: Record<string, { name: string; price: number; count: number; isSold: boolean }>;
  /** `reason` says why a gift was removed, in the server's words. */
  gifts: Record<string, { name: string; count: number; reason?: string }>;
  packages: Record<string, { name: string; price: number }>;
  time?: AcknowledgedTime;
  /** The code, while it had an effect. */
  promocode?: string;
  delivery: number;
  /** The delivery price that was last shown. It differs from `delivery` until the customer agrees to it. */
  shownDelivery: number;
}

/** A change of the agreed cart that the customer has not made. */
export type OrderChange =
  | { kind: 'price' | 'package'; key: string; name: string; before: number; after: number }
  | { kind: 'unavailable' | 'gone'; key: string; name: string }
  | { kind: 'count'; key: string; name: string; before: number; after: number }
  /** `reason` says why it was removed, if the server did. */
  | { kind: 'gift'; key: string; name: string; before: number; after: number; reason?: string }
  | { kind: 'delivery'; before: number; after: number }
  | { kind: 'total'; before: number; after: number }
  /** `text` says which bound of the code fails. */
  | { kind: 'promocode'; code: string; text: string }
  | { kind: 'time'; time: AcknowledgedTime };

/** A chosen time that passed longer ago than this is not shown as a change, in seconds. */
const timeForgotten = 3 * 3600;

/** Returns the stored form of a cart that the customer agrees to as it is. */
export function acknowledge(cart: Cart): AcknowledgedCart {
  const { delivery } = cart.prices;
  const lines: AcknowledgedCart['lines'] = {};
  for (const line of Object.values(cart.products)) {
    const { key, name, count, price_with_modifiers: price } = line;
    lines[key] = { name, price, count, isSold: isSold(line) };
  }
  const gifts: AcknowledgedCart['gifts'] = {};
  for (const gift of takenGifts(cart)) {
    gifts[keyOfGift(gift)] = { name: gift.name, count: gift.count };
  }
  const packages: AcknowledgedCart['packages'] = {};
  for (const { id, name, price } of cart.packages) packages[id] = { name, price };
  return {
    place: placeOf(cart),
    isDelivery: cart.order_type === 'delivery',
    lines,
    gifts,
    packages,
    time: cart.interval && toTime(cart.interval),
    promocode: cart.promocode?.is_active ? cart.promocode.code : undefined,
    delivery,
    shownDelivery: delivery,
  };
}

/**
 * Returns what counts as agreed to when the next cart comes. It takes over the customer's own changes
 * of lines and counts; other changes stay out until the customer agrees to them. Seeing the same cart
 * twice changes nothing.
 */
export function updateAgreed(agreed: AcknowledgedCart | undefined, cart: Cart): AcknowledgedCart {
  const now = acknowledge(cart);
  if (!agreed) return now;
  const known = findChanges(agreed, cart);
  const next = { ...now, delivery: agreedDelivery(agreed, now), shownDelivery: now.delivery };
  for (const change of known) {
    switch (change.kind) {
      case 'price':
        restore(next.lines, change.key, { price: change.before });
        break;
      case 'unavailable':
        restore(next.lines, change.key, { isSold: true });
        break;
      case 'package':
        restore(next.packages, change.key, { price: change.before });
        break;
      case 'gift':
        next.gifts[change.key] = {
          name: change.name,
          count: change.before,
          reason: change.reason,
        };
        break;
      case 'promocode':
        next.promocode = change.code;
        break;
      case 'time':
        next.time = change.time;
    }
  }
  return next;
}

/** Returns the changes of the cart that the customer has not agreed to. `now` in milliseconds since 1970. */
export function changesSince(
  agreed: AcknowledgedCart | undefined,
  cart: Cart,
  now: number,
): OrderChange[] {
  if (!agreed) return [];
  const changes = findChanges(agreed, cart).filter(
    (change) => change.kind !== 'time' || change.time.end_timestamp + timeForgotten > now / 1000,
  );
  const before = agreedDelivery(agreed, acknowledge(cart));
  const after = cart.prices.delivery;
  return before === after ? changes : [...changes, { kind: 'delivery', before, after }];
}

/**
 * Returns how the cart at the moment of the order differs from the one on the screen, besides what
 * `changesSince` finds: lines, counts and the total. An order needs both to be equal.
 */
export function changesAtOrder(seen: Cart, fresh: Cart): OrderChange[] {
  const lines = Object.values(seen.products).flatMap((line): OrderChange[] => {
    const { key, name, count: before } = line;
    const after = fresh.products[key]?.count;
    if (after === undefined) return [{ kind: 'gone', key, name }];
    return after === before ? [] : [{ kind: 'count', key, name, before, after }];
  });
  const added = Object.values(fresh.products)
    .filter(({ key }) => !seen.products[key])
    .map(
      ({ key, name, count: after }): OrderChange => ({
        kind: 'count',
        key,
        name,
        before: 0,
        after,
      }),
    );
  const [before, after] = [seen.prices.total, fresh.prices.total];
  const total: OrderChange[] = before === after ? [] : [{ kind: 'total', before, after }];
  return [...lines, ...added, ...total];
}

/** Returns what has changed since the customer agreed, except the price of delivery. */
function findChanges(agreed: AcknowledgedCart, cart: Cart): OrderChange[] {
  return [
    ...lineChanges(agreed, cart),
    ...giftChanges(agreed, cart),
    ...packageChanges(agreed, cart),
    ...promocodeChange(agreed, cart),
    ...timeChange(agreed, cart),
  ];
}

/** Returns the lines that are no longer available or have another price. New lines were added by the customer. */
function lineChanges({ lines }: AcknowledgedCart, cart: Cart): OrderChange[] {
  return Object.values(cart.products).flatMap((line): OrderChange[] => {
    const { key, name, price_with_modifiers: after } = line;
    const before = lines[key];
    if (!before) return [];
    if (before.isSold && !isSold(line)) return [{ kind: 'unavailable', key, name }];
    if (!isSold(line) || before.price === after) return [];
    return [{ kind: 'price', key, name, before: before.price, after }];
  });
}

/** Returns the gifts that were lost because they are no longer available, not those that the customer removed. */
function giftChanges({ gifts }: AcknowledgedCart, cart: Cart): OrderChange[] {
  const now = new Map([...cart.gifts, ...cart.presents].map((gift) => [keyOfGift(gift), gift]));
  return Object.entries(gifts).flatMap(([key, agreed]): OrderChange[] => {
    const { count: before } = agreed;
    const gift = now.get(key);
    const after = gift?.count ?? 0;
    if (after >= before || (gift && isStillAvailable(gift, before))) return [];
    const name = gift?.name ?? agreed.name;
    const reason = removalReason(name, cart) ?? agreed.reason;
    return [{ kind: 'gift', key, name, before, after, reason }];
  });
}

/**
 * Returns why the server removed a gift, by the gift's name. The server says it once, in the first
 * answer without the gift.
 */
const removalReason = (name: string, { messages }: Cart) =>
  messages.find((message) => isRemovalNotice(message) && message.text.includes(name))?.text;

/** Reports whether a message of the cart says that a gift was removed. */
export const isRemovalNotice = ({ icon }: Schema<'CartMessage'>) => icon === 'gift';

const isStillAvailable = ({ conditions, max_count: max }: Gift, count: number) =>
  conditions.every(({ validated }) => validated) && max >= count;

/** Returns the packages in use that have another price. */
function packageChanges({ packages }: AcknowledgedCart, cart: Cart): OrderChange[] {
  return cart.packages.flatMap(({ id, name, price: after, count }): OrderChange[] => {
    const before = packages[id]?.price;
    if (before === undefined || before === after || count === 0) return [];
    return [{ kind: 'package', key: String(id), name, before, after }];
  });
}

/**
 * Returns a change when the agreed promocode is still in the cart but has no effect. A promocode that
 * is gone was removed by the customer.
 */
function promocodeChange(
  { promocode: code }: AcknowledgedCart,
  { promocode: now }: Cart,
): OrderChange[] {
  if (!code || now?.code !== code || now.is_active) return [];
  return [{ kind: 'promocode', code, text: now.text }];
}

function timeChange({ time }: AcknowledgedCart, { interval }: Cart): OrderChange[] {
  return time && !interval ? [{ kind: 'time', time }] : [];
}

/**
 * Returns the price of delivery that counts as agreed to: the new price when the customer has changed
 * the address or dishes, else the old price until they agree to the new one.
 */
function agreedDelivery(agreed: AcknowledgedCart, now: AcknowledgedCart): number {
  if (!agreed.isDelivery || !now.isDelivery) return now.delivery;
  if (agreed.place !== now.place) return now.delivery;
  const awaitsAgreement = agreed.delivery !== agreed.shownDelivery;
  if (awaitsAgreement || hasSameCounts(agreed, now)) return agreed.delivery;
  return now.delivery;
}

function hasSameCounts({ lines: a }: AcknowledgedCart, { lines: b }: AcknowledgedCart): boolean {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => a[key]?.count === b[key]?.count)
  );
}

/** Overwrites an entry of the new cart with what was agreed to. */
function restore<Entry>(entries: Record<string, Entry>, key: string, agreed: Partial<Entry>): void {
  const entry = entries[key];
  if (entry) entries[key] = { ...entry, ...agreed };
}

/**
 * Returns the gifts that the customer took. One that a promocode added is left out: it is removed
 * with the promocode.
 */
const takenGifts = ({ gifts, presents }: Cart) =>
  [...gifts, ...presents].filter(({ count, type }) => count > 0 && type !== 'promocodeGift');

const keyOfGift = ({ type, id }: Gift) => `${type}.${id}`;

/**
 * Returns where the order goes, as the customer chose it: the zone is left out, since it may be
 * redrawn without them.
 */
const placeOf = ({ order_type, shop, delivery_zone_id, delivery_address }: Cart) =>
  `${order_type}.${order_type === 'takeaway' ? shop?.id : (delivery_address?.id ?? `zone ${delivery_zone_id}`)}`;

const toTime = ({ id, title, date_string, asap, ...at }: Schema<'Interval'>): AcknowledgedTime => ({
  id,
  title,
  date_string,
  day_name: at.day_name,
  formatted_string: at.formatted_string,
  asap,
  start_timestamp: at.start_timestamp,
  end_timestamp: at.end_timestamp,
});
