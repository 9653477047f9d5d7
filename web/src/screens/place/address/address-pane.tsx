import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { LocateFixed } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Schema } from '@/api/types';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/feedback/notice';
import { SuggestField } from '@/ui/fields/suggest-field';
import { useSettled } from '@/ui/hooks/use-settled';
import { usePosition } from '../position';
import { shortestSuggested, suggestQuery } from '../queries';
import { AddressDetails } from './address-details';
import { Elsewhere } from './elsewhere';
import { OtherCity } from './other-city';
import { SavedAddresses } from './saved-addresses';
import type { AddressEntry } from './use-address-entry';

/** How long typing must pause before addresses are suggested, in milliseconds. */
const typingPause = 200;

interface AddressPaneProps {
  entry: AddressEntry;
  onChosen: () => void;
  onShop: (shop: Schema<'Shop'>) => void;
  busyShopId: number | undefined;
}

/** The choice of a delivery address: a saved address, a typed address, or a point on the map. */
export function AddressPane({ entry, onChosen, onShop, busyShopId }: AddressPaneProps) {
  const { step } = entry;
  return (
    <div className="flex flex-col gap-4">
      <AddressBox entry={entry} />
      {entry.failure && <LookUpFailed retry={entry.retry} />}
      {step?.step === 'details' && <AddressDetails entry={entry} address={step.address} />}
      {step?.step === 'elsewhere' && (
        <Elsewhere
          entry={entry}
          address={step.address}
          nearest={step.nearest}
          onShop={onShop}
          busyShopId={busyShopId}
        />
      )}
      {step?.step === 'other-city' && <OtherCity draft={entry.draft} city={step.city} />}
      {step?.step !== 'details' && step?.step !== 'elsewhere' && (
        <SavedAddresses onChosen={onChosen} />
      )}
    </div>
  );
}

/**
 * The field for the address with suggestions, a button that looks the address up, and a button that looks up the
 * visitor's position.
 */
function AddressBox({ entry }: { entry: AddressEntry }) {
  const { isLooking, find } = usePosition();
  const { city, draft, text } = entry;
  const settled = useSettled(text, typingPause);
  const suggested = useQuery(suggestQuery(city.id, settled));
  const isFound = entry.step?.step === 'details' || entry.step?.step === 'elsewhere';
  const wantsSuggestions = !draft.target && text.trim().length >= shortestSuggested;
  const otherCity = wantsSuggestions ? suggested.data?.other_city : undefined;
  // What the server says of the text before must not replace what has been typed since.
  const isOfText = settled === text && !suggested.isPlaceholderData;

  const choose = (suggestion: Schema<'Suggestion'>) => {
    if (suggestion.has_house) entry.lookUp(suggestion.address);
    // Only the street is chosen: the visitor goes on with the number of the house.
    else entry.type(`${suggestion.address}, `);
  };
  const box = useRef<HTMLDivElement>(null);
  const typedProblem = draft.target?.kind === 'text' ? entry.addressError : undefined;
  // What is wrong with a typed address is mended in its field.
  useEffect(() => {
    if (typedProblem) box.current?.querySelector('input')?.focus();
  }, [typedProblem]);
  const latest = useRef<AddressEntry>(undefined);
  useEffect(() => {
    latest.current = entry;
    return () => {
      latest.current = undefined;
    };
  }, [entry]);
  const goToPosition = async () => {
    // Visitors move: a position that was found before may be another place.
    const here = await find();
    const now = latest.current;
    // A position that comes late must not replace what was typed or chosen since.
    const isSame = now?.draft.text === draft.text && now.draft.target === draft.target;
    if (here && isSame) now.lookUpPoint(here);
  };

  return (
    <div ref={box} className="flex flex-col gap-2">
      <SuggestField
        label={<Trans id="place.address.street-and-house">Street and house</Trans>}
        value={text}
        onChange={entry.type}
        suggestions={wantsSuggestions ? (suggested.data?.suggestions ?? []) : []}
        keyOf={({ address }) => address}
        textOf={({ address }) => address}
        renderItem={({ title, subtitle }) => (
          <>
            <span>{title}</span>
            {subtitle && <span className="text-note text-ink-soft">{subtitle}</span>}
          </>
        )}
        onChoose={choose}
        onSubmit={() => entry.lookUp(text)}
        loading={entry.isChecking || (wantsSuggestions && suggested.isFetching)}
        hint={
          <Trans id="place.address.can-also-point-at-place">
            You can also point at the place on the map.
          </Trans>
        }
        error={entry.addressError}
        autoComplete="address-line1"
      />
      {otherCity && (
        <OtherCity draft={draft} city={isOfText ? otherCity : { ...otherCity, address: text }} />
      )}
      <div className="flex flex-wrap gap-2">
        {!isFound && (
          <Button
            look="secondary"
            size="small"
            disabled={!entry.canLookUp}
            onClick={() => entry.lookUp(text)}
          >
            <Trans id="place.check-address">Check the address</Trans>
          </Button>
        )}
        <Button
          look="quiet"
          size="small"
          icon={LocateFixed}
          busy={isLooking}
          onClick={() => void goToPosition()}
        >
          <Trans id="place.address.my-position">Use my location</Trans>
        </Button>
      </div>
    </div>
  );
}

/** The notice that the address could not be looked up, with a button that tries again. */
function LookUpFailed({ retry }: { retry: () => void }) {
  return (
    <Notice
      tone="warn"
      action={
        <Button look="secondary" size="small" onClick={retry}>
          <Trans id="common.try-again">Try again</Trans>
        </Button>
      }
    >
      <Trans id="place.address.address-could-not-be-checked">
        The address could not be checked. What you typed is kept.
      </Trans>
    </Notice>
  );
}
