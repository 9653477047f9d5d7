import { checkoutDraftKey } from '@/entities/payment-state/unpaid-order';
import { readInTab, removeInTab, writeInTab } from '@/lib/storage';
import type { CheckoutValues } from './form-rules';

/** A half-filled checkout of one city, kept for the tab. */
export interface Draft {
  values: Partial<CheckoutValues>;
  /** The address that the apartment and the rest belong to. */
  addressId?: number;
}

/** Returns what was typed before a reload or before the page was left; empty when nothing was. */
export const readDraft = (cityId: number): Draft =>
  readInTab(checkoutDraftKey(cityId), isDraft) ?? { values: {} };

/** Keeps what is typed. */
export const writeDraft = (cityId: number, draft: Draft) =>
  writeInTab(checkoutDraftKey(cityId), draft);

/** Stores in the draft a way to pay that is chosen before the checkout is open. */
export function writeDraftPayment(
  cityId: number,
  paymentType: CheckoutValues['paymentType'],
): void {
  const draft = readDraft(cityId);
  writeDraft(cityId, { ...draft, values: { ...draft.values, paymentType } });
}

/** Drops the draft: the order is placed. */
export const removeDraft = (cityId: number) => removeInTab(checkoutDraftKey(cityId));

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null || !('values' in value)) return false;
  const { values } = value;
  return (
    typeof values === 'object' &&
    values !== null &&
    Object.entries(values).every(([name, value]) => hasKind(value, kindOfField(name)))
  );
}

const kindOfField = (name: string) =>
  name === 'maskId' ? 'number' : name === 'consents' ? 'texts' : 'string';

const hasKind = (value: unknown, kind: 'number' | 'string' | 'texts'): boolean =>
  kind === 'texts'
    ? Array.isArray(value) && value.every((one) => typeof one === 'string')
    : typeof value === kind;
