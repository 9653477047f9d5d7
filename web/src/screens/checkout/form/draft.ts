import { checkoutDraftKey } from '@/entities/payment-state/unpaid-order';
import { readInTab, removeInTab, writeInTab } from '@/lib/storage';
import type { CheckoutValues } from './form-rules';

/** A half-filled checkout of one city, stored in the tab. */
export interface Draft {
  values: Partial<CheckoutValues>;
  /** The address to which the details of the door belong. */
  addressId?: number;
}

/** Returns the stored draft of a city; empty when there is none. */
export const readDraft = (cityId: number): Draft =>
  readInTab(checkoutDraftKey(cityId), isDraft) ?? { values: {} };

/** Stores the draft of a city. */
export const writeDraft = (cityId: number, draft: Draft) =>
  writeInTab(checkoutDraftKey(cityId), draft);

/** Stores a payment type in the draft, for a choice outside of the checkout. */
export function writeDraftPayment(
  cityId: number,
  paymentType: CheckoutValues['paymentType'],
): void {
  const draft = readDraft(cityId);
  writeDraft(cityId, { ...draft, values: { ...draft.values, paymentType } });
}

/** Removes the draft, because the order is placed. */
export const removeDraft = (cityId: number) => removeInTab(checkoutDraftKey(cityId));

/** Reports whether a stored value has today's form; an older version may have stored another. */
function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null || !('values' in value)) return false;
  const { values } = value;
  return (
    typeof values === 'object' &&
    values !== null &&
    Object.entries(values).every(([name, value]) => hasKind(value, kindOfField(name)))
  );
}

type Kind = 'number' | 'boolean' | 'string' | 'texts';

const kinds: Record<string, Kind> = {
  maskId: 'number',
  consents: 'texts',
  private_house: 'boolean',
};

/** Returns the kind of value of a field. */
const kindOfField = (name: string): Kind => kinds[name] ?? 'string';

/** Reports whether a value is of a kind. */
const hasKind = (value: unknown, kind: Kind): boolean =>
  kind === 'texts'
    ? Array.isArray(value) && value.every((one) => typeof one === 'string')
    : typeof value === kind;
