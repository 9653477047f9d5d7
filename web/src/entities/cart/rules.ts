import type { Schema } from '@/api/types';
import type { OrderPlace } from '@/entities/place/place';

type Cart = Schema<'Cart'>;
type Line = Schema<'CartProduct'>;

/** The reason why nothing can be ordered now; the first that applies. */
export type Obstacle =
  /** The city or the shop that would cook takes no orders. `alert` says why, in the visitor's language. */
  | { kind: 'stopped'; alert?: string }
  | { kind: 'empty' }
  /** Takeaway without a shop. */
  | { kind: 'shop' }
  /** Delivery without an address, or to one outside all zones. */
  | { kind: 'address'; isOutside: boolean }
  /** A line that is not available now. */
  | { kind: 'line'; name: string }
  /** Delivery below the zone's minimum order; what is missing in major units. */
  | { kind: 'minimum'; amount: number; missing: number }
  /** The cart has changes that the customer must agree to first. */
  | { kind: 'changes' };

/** Returns why this cart cannot be ordered, except for `changes`; undefined when it can. */
export function orderObstacle(
  cart: Cart,
  place: Pick<OrderPlace, 'orderType' | 'shopId' | 'zoneId' | 'address'>,
  city: Pick<Schema<'City'>, 'type' | 'alert'>,
): Obstacle | undefined {
  if (city.type === 'stop') return { kind: 'stopped', alert: city.alert };
  const lines = Object.values(cart.products);
  if (lines.length === 0) return { kind: 'empty' };
  const isTakeaway = place.orderType === 'takeaway';
  if (isTakeaway && place.shopId === undefined) return { kind: 'shop' };
  if (!isTakeaway && place.zoneId === undefined) {
    return { kind: 'address', isOutside: place.address !== undefined };
  }
  if (cart.stop) return { kind: 'stopped', alert: cart.stop.alert };
  const lost = lines.find((line) => !isSold(line));
  if (lost) return { kind: 'line', name: lost.name };
  const { minimum } = cart;
  if (!isTakeaway && minimum?.kind === 'order') {
    return { kind: 'minimum', amount: minimum.amount, missing: minimum.missing };
  }
  return undefined;
}

/** Reports whether the server has none of the portions that the visitor sees, so that they have no sums yet. */
export const isUnpriced = (cart: Cart, count: number) => count > 0 && cart.count === 0;

/** Reports whether a line can be ordered now. */
export const isSold = ({ type }: Pick<Line, 'type'>) => type === 'default' || type === 'related';

/** Returns the groups of the cart's lines, each once, in a stable order. */
export const groupsOf = ({ products }: Pick<Cart, 'products'>): number[] =>
  [...new Set(Object.values(products).map((line) => line.product_group_id))].sort((a, b) => a - b);

/** Returns the modifiers that are taken with each portion of a product without a choice, such as the deposit of a bottle. */
export function alwaysTaken({ modifiers }: Schema<'Product'>): Schema<'ChosenModifier'>[] {
  const isTaken = ({ type, min }: Schema<'Modifier'>) => type !== 'stop' && min > 0;
  return [
    ...modifiers.single.filter(isTaken).map(({ id, min: count }) => ({ id, count })),
    ...modifiers.groups.flatMap(({ id: group_id, modifiers: inGroup }) =>
      Object.values(inGroup)
        .filter(isTaken)
        .map(({ id, min: count }) => ({ id, group_id, count })),
    ),
  ];
}
