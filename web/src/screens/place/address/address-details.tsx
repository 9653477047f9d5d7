import { Trans, useLingui } from '@lingui/react/macro';
import { MapPin } from 'lucide-react';
import { useRef } from 'react';
import type { Schema } from '@/api/types';
import type { Details } from '@/entities/place-choice/choose';
import { Button } from '@/ui/button';
import { Disclosure } from '@/ui/disclosure';
import { Notice } from '@/ui/feedback/notice';
import { TextArea } from '@/ui/fields/text-area';
import { TextField } from '@/ui/fields/text-field';
import { usePromise } from '../use-promise';
import type { AddressEntry } from './use-address-entry';

interface AddressDetailsProps {
  entry: AddressEntry;
  address: Schema<'DeliveryAddress'>;
}

/** The details of an address that is delivered to: what delivery costs, and how the courier finds the door. */
export function AddressDetails({ entry, address }: AddressDetailsProps) {
  const { t } = useLingui();
  const promise = usePromise();
  const room = useRef<HTMLInputElement>(null);
  const { details } = entry.draft;
  const { delivery_prices: prices, delivery_time: minutes } = address;

  const field = (name: keyof Details) => ({
    name,
    value: details[name],
    onChange: ({ target }: { target: { value: string } }) => entry.detail(name, target.value),
  });
  const submit = async () => {
    if ((await entry.submit()) === 'room') room.current?.focus();
  };

  return (
    <form
      className="flex flex-col gap-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div role="status">
        <Notice
          tone="good"
          icon={MapPin}
          title={t({ id: 'place.address.we-deliver-here', message: 'We deliver here' })}
        >
          {prices && <span className="text-note">{promise({ prices, minutes }).join(' · ')}</span>}
        </Notice>
        {address.alert && (
          <div className="mt-2">
            <Notice tone="warn">{address.alert}</Notice>
          </div>
        )}
      </div>
      <TextField
        {...field('room')}
        ref={room}
        label={t({ id: 'common.field.room', message: 'Apartment or office' })}
        autoComplete="address-line2"
        required
        maxLength={20}
        error={entry.roomError}
      />
      <DoorFields field={field} />
      <div className="sticky bottom-0 -mb-4 bg-surface pt-1 pb-4">
        <Button type="submit" size="large" wide busy={entry.isChoosing}>
          <Trans id="place.address.deliver-here">Deliver here</Trans>
        </Button>
      </div>
    </form>
  );
}

interface DoorFieldsProps {
  /** What binds a field to the draft. */
  field: (name: keyof Details) => {
    name: keyof Details;
    value: string;
    onChange: (event: { target: { value: string } }) => void;
  };
}

/** How the courier gets to the door; most visitors need none of it. */
function DoorFields({ field }: DoorFieldsProps) {
  const { t } = useLingui();
  return (
    <Disclosure
      summary={<Trans id="place.address.entrance-floor">Entrance, floor, comment</Trans>}
      end={<Trans id="place.address.if-needed">if needed</Trans>}
    >
      <div className="flex flex-col gap-3">
        <div className="grid grid-cols-2 gap-3">
          <TextField
            {...field('entrance')}
            label={t({ id: 'common.field.entrance', message: 'Entrance' })}
            maxLength={20}
          />
          <TextField
            {...field('floor')}
            label={t({ id: 'common.field.floor', message: 'Floor' })}
            inputMode="numeric"
            maxLength={20}
          />
        </div>
        <TextField
          {...field('intercom')}
          label={t({ id: 'common.field.intercom', message: 'Intercom' })}
          maxLength={40}
        />
        <TextArea
          {...field('description')}
          label={t({
            id: 'place.address.comment-for-courier',
            message: 'Comment for the courier',
          })}
          maxLength={300}
        />
      </div>
    </Disclosure>
  );
}
