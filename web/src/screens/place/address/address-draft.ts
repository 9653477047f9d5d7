import { useState } from 'react';
import type { Details, Target } from '@/entities/place-choice/choose';
import { readInTab, removeInTab, writeInTab } from '@/lib/storage';

/** An address that is being entered: kept in the tab until it is chosen, so that nothing is typed twice. */
export interface AddressDraft {
  /** The text of the field. */
  text: string;
  /** What was looked up last; null while the text has changed since. */
  target: Target | null;
  details: Details;
  /** The phone to notify once the address is delivered to, as it was typed. */
  phone: string;
}

export const emptyDraft: AddressDraft = {
  text: '',
  target: null,
  details: { room: '', entrance: '', floor: '', intercom: '', description: '' },
  phone: '',
};

const keyOf = (cityId: number) => `address-draft.${cityId}`;

/** Returns the draft of a city. It survives closing the dialog and a reload. */
export function useAddressDraft(cityId: number) {
  const [draft, setDraft] = useState(() => readInTab(keyOf(cityId), isDraft) ?? emptyDraft);
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

/** Reports whether a stored value is a draft of an address. */
function isDraft(value: unknown): value is AddressDraft {
  const { text, target, details, phone } = (value ?? {}) as Record<keyof AddressDraft, unknown>;
  const isText = (part: unknown) => typeof part === 'string';
  return (
    isText(text) &&
    isText(phone) &&
    typeof target === 'object' &&
    typeof details === 'object' &&
    details !== null &&
    Object.keys(emptyDraft.details).every((key) =>
      isText((details as Record<string, unknown>)[key]),
    )
  );
}
