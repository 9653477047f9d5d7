import type { Schema } from '@/api/types';

export type PhoneMasks = Schema<'City'>['phone_masks'];

/** A phone as it was typed, in the city's mask of that id. */
export interface TypedPhone {
  phone: string;
  maskId: number;
}

/**
 * Returns the city's mask of the id, otherwise its first. Without a mask 15 digits are taken: no phone number has
 * more.
 */
export const maskOf = (masks: PhoneMasks, maskId: number): string =>
  (masks.find(({ id }) => id === maskId) ?? masks[0])?.mask ?? '+###############';

/** Returns the known phone if it is in a mask of the city, otherwise an empty one in the city's first mask. */
export function firstPhone(masks: PhoneMasks, known?: TypedPhone): TypedPhone {
  const isHere = known && masks.some(({ id }) => id === known.maskId);
  if (isHere) return { phone: known.phone, maskId: known.maskId };
  return { phone: '', maskId: masks[0]?.id ?? 0 };
}
