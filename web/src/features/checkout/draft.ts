import type { CheckoutValues } from './form-rules';

/** A half-filled checkout of one city, kept for the tab. */
export interface Draft {
  values: Partial<CheckoutValues>;
  /** The address that the apartment and the rest belong to. */
  addressId?: number;
}

const keyOf = (cityId: number) => `checkout.${cityId}`;

/** What was typed before a reload or a way back; empty when nothing was. */
export function recallDraft(cityId: number): Draft {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(cityId)) ?? 'null');
    return isDraft(kept) ? kept : { values: {} };
  } catch {
    return { values: {} };
  }
}

/** Keeps what is typed; silent where the browser keeps nothing. */
export function keepDraft(cityId: number, draft: Draft): void {
  try {
    sessionStorage.setItem(keyOf(cityId), JSON.stringify(draft));
  } catch {
    // The form still works, it only does not survive a reload.
  }
}

/** Drops the draft: the order is placed. */
export function dropDraft(cityId: number): void {
  try {
    sessionStorage.removeItem(keyOf(cityId));
  } catch {
    // Nothing could be kept here, so nothing is left to drop.
  }
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null || !('values' in value)) return false;
  const { values } = value;
  return (
    typeof values === 'object' &&
    values !== null &&
    Object.entries(values).every(
      ([name, kept]) => typeof kept === (name === 'maskId' ? 'number' : 'string'),
    )
  );
}
