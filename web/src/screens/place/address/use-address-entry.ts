import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFault } from '@/api/result';
import type { Schema } from '@/api/types';
import { addressFormOf, type Details, givenDetails } from '@/entities/address-form/details';
import { useCity } from '@/entities/city/context';
import type { TypedPhone } from '@/entities/contact/typed-phone';
import { useChooseAddress } from '@/entities/place-choice/choose';
import { showFailure } from '@/ui/feedback/show-failure';
import { checkQuery } from '../queries';
import { type NextStep, nextStep } from './address-answer';
import { useAddressDraft } from './address-draft';

/** The length of the shortest text that can be looked up. */
const shortestLookedUp = 3;

/** Returns the state of entering an address: the draft, the server's answer, and the function that chooses it. */
export function useAddressEntry(onChosen: () => void) {
  const problemOf = useAddressProblem();
  const city = useCity();
  const { draft, change, type, clear } = useAddressDraft(city.id);
  const check = useQuery(checkQuery(city.id, draft.target));
  const choose = useChooseAddress();
  const [refused, setRefused] = useState<Record<string, string>>({});
  const answer = draft.target ? check.data : undefined;
  const step = answer && nextStep(answer, draft.target?.kind === 'point');
  const isUnfound = step?.step === 'house' || step?.step === 'street' || step?.step === 'unknown';
  const found = draft.target?.kind === 'point' ? answer?.delivery_address : undefined;

  return {
    city,
    draft,
    /** The text of the field: as it was typed, or the address of the tapped point. */
    text: found ? found.address : draft.text,
    step,
    isChecking: draft.target !== null && check.isFetching,
    /** Why the address could not be looked up; `retry` looks it up again. */
    failure: check.error instanceof ApiFault ? check.error.failure : undefined,
    retry: () => void check.refetch(),
    addressError: refused.address ?? refused.delivery_address ?? problemOf(step, answer?.message),
    canLookUp: draft.text.trim().length >= shortestLookedUp,
    type(text: string) {
      setRefused({});
      type(text);
    },
    lookUp(text: string) {
      setRefused({});
      if (text.trim().length < shortestLookedUp) return;
      change({ text, target: { kind: 'text', address: text.trim() } });
    },
    lookUpPoint(coordinates: Schema<'Coordinates'>) {
      setRefused({});
      // A typed address that was not found is named together with the point that stands for it.
      const address = isUnfound ? draft.text.trim() : undefined;
      change({ text: '', target: { kind: 'point', coordinates, address } });
    },
    /** Returns to the field, which keeps its text. */
    startOver: () => change({ text: found ? found.address : draft.text, target: null }),
    /** Stores the typed details in the draft. */
    keepDetails: (details: Details) => change({ details }),
    /** Stores the typed phone in the draft. */
    setPhone: ({ phone, maskId }: TypedPhone) => change({ phone, maskId }),
    /**
     * Chooses the looked-up address. Resolves to the server's errors by field, which is empty on success and for
     * a failure that is shown over the page.
     */
    async submit(details: Details): Promise<Record<string, string>> {
      if (!draft.target) return {};
      const failure = await choose.byTarget(
        city.id,
        draft.target,
        givenDetails(addressFormOf(city), details),
      );
      if (!failure) {
        clear();
        onChosen();
        return {};
      }
      const fields = failure.kind === 'invalid' ? failure.fields : {};
      if (Object.keys(fields).length === 0) showFailure(failure);
      setRefused(fields);
      return fields;
    },
  };
}

/**
 * Returns a function that returns the problem of a looked-up address in words; undefined when there is none.
 * `message` is the server's.
 */
function useAddressProblem() {
  const { t } = useLingui();
  return (step: NextStep | undefined, message: string | undefined): string | undefined => {
    switch (step?.step) {
      case 'house':
        return (
          message ?? t({ id: 'place.address.add-house-number', message: 'Add the house number.' })
        );
      case 'street':
        return (
          message ??
          t({
            id: 'place.address.add-street-and-house',
            message: 'Add the street and the house number.',
          })
        );
      case 'unknown':
        return t({
          id: 'place.address.do-not-know-address',
          message:
            'We do not know this address. Check the spelling or point at the place on the map.',
        });
      default:
        return undefined;
    }
  };
}

export type AddressEntry = ReturnType<typeof useAddressEntry>;
