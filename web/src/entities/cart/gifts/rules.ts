import type { Schema } from '@/api/types';

type Gift = Schema<'Gift'>;

/** The control that a gift shows; `none` while nothing can be done with it. */
export type GiftControl = 'add' | 'counter' | 'remove' | 'none';

/** Returns the control that a gift shows for the count that the visitor sees. */
export function controlOf(gift: Gift, count: number): GiftControl {
  // A gift of a promocode is removed with the promocode.
  if (gift.type === 'promocodeGift') return 'none';
  if (count === 0) return isEarned(gift) && gift.is_available ? 'add' : 'none';
  return gift.max_count > 1 ? 'counter' : 'remove';
}

/** Reports whether the gift's conditions are met. */
export const isEarned = ({ conditions }: Pick<Gift, 'conditions'>) =>
  conditions.every(({ validated }) => validated);

/**
 * Returns the gifts in the cart first, then those that can be taken, then the others; each part in the given
 * order.
 */
export const sortGifts = <Shown extends { gift: Gift; count: number }>(
  gifts: readonly Shown[],
): Shown[] => [...gifts].sort((a, b) => rankOf(a) - rankOf(b));

/** Returns 0 for a gift in the cart, 1 for one that can be taken, 2 for any other. */
function rankOf({ gift, count }: { gift: Gift; count: number }): number {
  if (count > 0) return 0;
  return isEarned(gift) && gift.is_available ? 1 : 2;
}

/**
 * Returns the gifts that are shown at once: those in the cart, those that can be taken, and of the others the one
 * that lacks the smallest sum, else the first. All of them when only one would be left out.
 */
export function nearGifts<Shown extends { gift: Gift; count: number }>(
  gifts: readonly Shown[],
): readonly Shown[] {
  const others = gifts.filter((shown) => rankOf(shown) === 2);
  const next = nextGift(others.map(({ gift }) => gift))?.gift ?? others[0]?.gift;
  const near = gifts.filter((shown) => rankOf(shown) < 2 || shown.gift === next);
  return gifts.length - near.length > 1 ? near : gifts;
}

/** The unmet conditions of a gift in words; `many` when there are too many for a line. */
export type GiftHint = { kind: 'list'; messages: readonly string[] } | { kind: 'many' };

/** Returns the messages of one or two unmet conditions, `many` for more, and undefined when all are met. */
export function hintOf({ conditions }: Pick<Gift, 'conditions'>): GiftHint | undefined {
  const messages = conditions.filter(({ validated }) => !validated).map(({ message }) => message);
  if (messages.length === 0) return undefined;
  return messages.length > 2 ? { kind: 'many' } : { kind: 'list', messages };
}

/**
 * Returns the gift that lacks nothing but a sum; of several the one that lacks least. With the server's text about
 * the sum. Gifts in the cart and gifts that ran out do not count.
 */
export function nextGift(gifts: readonly Gift[]): { gift: Gift; step: string } | undefined {
  const near = gifts.flatMap((gift) => {
    const [step, ...others] = gift.conditions.filter(({ validated }) => !validated);
    if (!step?.missing || others.length > 0 || gift.count > 0 || gift.alert) return [];
    return { gift, step: step.message, missing: step.missing };
  });
  return near.sort((a, b) => a.missing - b.missing)[0];
}
