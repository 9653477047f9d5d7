import type { Schema } from '@/api/types';
import type { Obstacle } from '@/entities/cart/rules';

type Bonus = Schema<'CartBonus'>;
type Cart = Schema<'Cart'>;

/**
 * Reports whether a promocode can be checked: it cannot while orders are stopped, the cart is empty
 * or no place is chosen.
 */
export const canCheckPromocode = (obstacle: Obstacle | undefined): boolean =>
  obstacle === undefined || !['stopped', 'empty', 'shop', 'address'].includes(obstacle.kind);

/** The reason why the switch of bonuses is locked; of several reasons the first in this order counts. */
export type BonusObstacle = 'unavailable' | 'discount' | 'no-balance' | 'nothing';

/** Returns what keeps a customer from paying with bonuses; undefined when they can. */
export function bonusObstacle(
  { is_available, balance, limit, wanted }: Bonus,
  { discount }: Pick<Schema<'Prices'>, 'discount'>,
): BonusObstacle | undefined {
  if (!is_available) return 'unavailable';
  if (discount > 0) return 'discount';
  if (balance <= 0) return 'no-balance';
  // Bonuses that are on can always be switched off.
  return limit <= 0 && wanted <= 0 ? 'nothing' : undefined;
}

/** Returns by how much a code has raised the total, because bonuses cannot be spent with it; 0 when it has not. */
export function findExtraCost(before: Cart | undefined, after: Cart): number {
  if (!before || before.prices.bonuses <= after.prices.bonuses) return 0;
  return Math.max(0, after.prices.total - before.prices.total);
}
