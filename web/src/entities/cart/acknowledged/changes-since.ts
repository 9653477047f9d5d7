import type { Schema } from '@/api/types';
import { isSold } from '../rules';

type Cart = Schema<'Cart'>;
type Gift = Schema<'Gift'>;

/** The fields of a chosen interval that are needed to name it once it is gone. Timestamps are Unix seconds. */
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

/** The cart that a customer last saw and agreed to, in short. It is stored on the device. */
export interface AcknowledgedCart {
  /** The place of the order. Delivery prices of two places are not compared. */
  place: string;
  /** Whether the order goes to a zone. Without one there is no price of delivery to compare. */
  isDelivered: boolean;
  lines: Record<string, { name: string; price: number; count: number; isSold: boolean }>;
  /** `reason` is why a gift was removed, in the server's words. */
  gifts: Record<string, { name: string; count: number; reason?: string }>;
  packages: Record<string, { name: string; price: number }>;
  time?: AcknowledgedTime;
  /** The promocode, if it had an effect. */
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
  /** `reason` is why it was removed, in the server's words. */
  | { kind: 'gift'; key: string; name: string; before: number; after: number; reason?: string }
  | { kind: 'delivery'; before: number; after: number }
  | { kind: 'total'; before: number; after: number }
  /** `text` is why the promocode has no effect. */
  | { kind: 'promocode'; code: string; text: string }
  | { kind: 'time'; time: AcknowledgedTime };

/** How many seconds after its end a lost time is still shown as a change. */
const timeForgotten = 3 * 3600;

/** Returns the stored form of a cart that the customer agrees to as a whole. */
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
    isDelivered: cart.order_type === 'delivery' && cart.delivery_zone_id !== undefined,
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
 * Returns the agreed cart after an answer of the server. It takes the customer's own changes over, and keeps the
 * agreed values of other changes until the customer agrees to them. The same cart twice has the same result.
 */
export function updateAgreed(agreed: AcknowledgedCart | undefined, cart: Cart): AcknowledgedCart {
  const current = acknowledge(cart);
  if (!agreed) return current;
  const next = {
    ...current,
    delivery: agreedDelivery(agreed, current),
    shownDelivery: current.delivery,
  };
  for (const change of findChanges(agreed, cart)) {
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

/**
 * Returns the changes of the cart that the customer has not agreed to; none without an agreed cart. A time that was
 * lost is left out once it ended `timeForgotten` before `now` (milliseconds since 1970). A price of delivery that
 * changed by the customer's own change of place or dishes counts as agreed, see `agreedDelivery`.
 */
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
 * Returns the differences in lines, counts and total between the cart on the screen and the fresh cart of the
 * server. The customer must agree to these, as to those of `changesSince`, before the cart is ordered.
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

/** Returns the changes that the customer has not made, except the price of delivery. */
function findChanges(agreed: AcknowledgedCart, cart: Cart): OrderChange[] {
  return [
    ...lineChanges(agreed, cart),
    ...giftChanges(agreed, cart),
    ...packageChanges(agreed, cart),
    ...promocodeChange(agreed, cart),
    ...timeChange(agreed, cart),
  ];
}

/**
 * Returns the changes of lines that are no longer available or have another price. A new line is the customer's
 * own.
 */
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

/**
 * Returns the changes of gifts that are no longer available. A gift that is available was removed by the
 * customer.
 */
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

/** Returns the server's message about the removal of a gift. Only the first answer without the gift has it. */
const removalReason = (name: string, { messages }: Cart) =>
  messages.find((message) => isRemovalNotice(message) && message.text.includes(name))?.text;

/** Reports whether a message of the cart says that a gift was removed. */
export const isRemovalNotice = ({ icon }: Schema<'CartMessage'>) => icon === 'gift';

/** Reports whether a gift can be taken `count` times. */
const isStillAvailable = ({ conditions, max_count: max }: Gift, count: number) =>
  conditions.every(({ validated }) => validated) && max >= count;

/** Returns the changes of prices of the packages in use. */
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

/** Returns a change when the agreed time is not in the cart any more. */
function timeChange({ time }: AcknowledgedCart, { interval }: Cart): OrderChange[] {
  return time && !interval ? [{ kind: 'time', time }] : [];
}

/**
 * Returns the agreed price of delivery. A new price after the customer's own change of place or dishes counts as
 * agreed; any other new price does not, and keeps waiting even when the dishes change later.
 */
function agreedDelivery(agreed: AcknowledgedCart, now: AcknowledgedCart): number {
  if (!agreed.isDelivered || !now.isDelivered) return now.delivery;
  if (agreed.place !== now.place) return now.delivery;
  const awaitsAgreement = agreed.delivery !== agreed.shownDelivery;
  if (awaitsAgreement || hasSameCounts(agreed, now)) return agreed.delivery;
  return now.delivery;
}

/** Reports whether two carts have the same lines with the same counts. */
function hasSameCounts({ lines: a }: AcknowledgedCart, { lines: b }: AcknowledgedCart): boolean {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => a[key]?.count === b[key]?.count)
  );
}

/** Overwrites fields of an entry with the agreed values, if the entry exists. */
function restore<Entry>(entries: Record<string, Entry>, key: string, agreed: Partial<Entry>): void {
  const entry = entries[key];
  if (entry) entries[key] = { ...entry, ...agreed };
}

/**
 * Returns the gifts that the customer took. It leaves out a promocode's gift, which is removed with the
 * promocode.
 */
const takenGifts = ({ gifts, presents }: Cart) =>
  [...gifts, ...presents].filter(({ count, type }) => count > 0 && type !== 'promocodeGift');

const keyOfGift = ({ type, id }: Gift) => `${type}.${id}`;

/**
 * Returns a key of the place that the customer chose: the shop or the saved address. The zone counts only without an
 * address, because a zone may be redrawn.
 */
const placeOf = ({ order_type, shop, delivery_zone_id, delivery_address }: Cart) =>
  `${order_type}.${order_type === 'takeaway' ? shop?.id : (delivery_address?.id ?? `zone ${delivery_zone_id}`)}`;

/** Returns the stored fields of an interval. */
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
