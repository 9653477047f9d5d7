import { useState } from 'react';
import { areDetails, type Details, emptyDetails } from '@/entities/address-form/details';
import type { TypedPhone } from '@/entities/contact/typed-phone';
import type { Target } from '@/entities/place-choice/choose';
import { readInTab, removeInTab, writeInTab } from '@/lib/storage';

/**
 * The draft of an address, which the tab stores until the address is chosen, with the phone to notify once the
 * address is delivered to.
 */
export interface AddressDraft extends TypedPhone {
  /** The text of the field. */
  text: string;
  /** The last look-up; null when the text has changed since. */
  target: Target | null;
  details: Details;
}

export const emptyDraft: AddressDraft = {
  text: '',
  target: null,
  details: emptyDetails,
  phone: '',
  maskId: 0,
};

const keyOf = (cityId: number) => `address-draft.${cityId}`;

/** Returns the stored draft; what it lacks is empty. */
function readDraft(cityId: number): AddressDraft {
  const stored = readInTab(keyOf(cityId), isDraft) ?? emptyDraft;
  return { ...emptyDraft, ...stored, details: { ...emptyDetails, ...stored.details } };
}

/** Returns the city's draft, and the functions that change it and store it in the tab. It survives a reload. */
export function useAddressDraft(cityId: number) {
  const [draft, setDraft] = useState(() => readDraft(cityId));
  const keep = (next: AddressDraft) => {
    setDraft(next);
    writeInTab(keyOf(cityId), next);
  };
  return {
    draft,
    change: (part: Partial<AddressDraft>) => keep({ ...draft, ...part }),
    /** Sets the text and drops the last look-up, which was for another text. */
    type: (text: string) => {
      if (text !== draft.text) keep({ ...draft, text, target: null });
    },
    clear: () => {
      setDraft(emptyDraft);
      removeInTab(keyOf(cityId));
    },
  };
}

/** Stores what was looked up in one city as the draft of another, and drops the draft of the first. */
export function moveDraft(
  fromCity: number,
  toCity: number,
  looked: Pick<AddressDraft, 'text' | 'target'>,
) {
  writeInTab(keyOf(toCity), { ...emptyDraft, ...looked });
  removeInTab(keyOf(fromCity));
}

/** Reports whether a stored value is a draft of an address. */
function isDraft(value: unknown): value is AddressDraft {
  const { text, target, details, phone } = (value ?? {}) as Record<keyof AddressDraft, unknown>;
  const isText = (part: unknown) => typeof part === 'string';
  return isText(text) && isText(phone) && typeof target === 'object' && areDetails(details);
}
