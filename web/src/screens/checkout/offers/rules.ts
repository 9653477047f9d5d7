import type { Schema } from '@/api/types';
import type { Obstacle } from '@/entities/cart/rules';

type Bonus = Schema<'CartBonus'>;
type Cart = Schema<'Cart'>;

/** Whether a promocode can be judged: not while orders are stopped, the cart is empty or no place is chosen. */
export const canOrderAtAll = (obstacle: Obstacle | undefined): boolean =>
  obstacle === undefined || !['stopped', 'empty', 'shop', 'address'].includes(obstacle.kind);

/** Why bonuses cannot be switched; the first that applies. */
export type BonusBar = 'unavailable' | 'discount' | 'no-balance' | 'nothing';

/** What keeps a customer from paying with bonuses; undefined when they can. */
export function bonusBar(
  { is_available, balance, limit, wanted }: Bonus,
  { discount }: Pick<Schema<'Prices'>, 'discount'>,
): BonusBar | undefined {
  if (!is_available) return 'unavailable';
  if (discount > 0) return 'discount';
  if (balance <= 0) return 'no-balance';
  // What is on can be switched off, whatever it is worth.
  return limit <= 0 && wanted <= 0 ? 'nothing' : undefined;
}

/** By how much a code has made the order dearer, because bonuses cannot be spent with it; 0 when it has not. */
export function dearerBy(before: Cart | undefined, after: Cart): number {
  if (!before || before.prices.bonuses <= after.prices.bonuses) return 0;
  return Math.max(0, after.prices.total - before.prices.total);
}
