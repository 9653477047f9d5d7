import type { OrderPlace } from './place';

/** From and to, in minutes from now. */
export interface PromisedTime {
  from: number;
  to: number;
}

/** Everything takes up to this much longer than planned, in minutes. */
const spread = 10;

/** How long an order takes when it is placed now; undefined until it is known where it goes. */
export function promisedTime(place: OrderPlace): PromisedTime | undefined {
  const minutes =
    place.orderType === 'delivery' ? place.address?.delivery_time : place.shop?.cooking_time;
  if (minutes === undefined) return undefined;
  const from = Math.ceil(minutes / 5) * 5;
  return { from, to: from + spread };
}
