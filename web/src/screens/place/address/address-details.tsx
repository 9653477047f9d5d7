import { valibotResolver } from '@hookform/resolvers/valibot';
import { Trans, useLingui } from '@lingui/react/macro';
import { MapPin } from 'lucide-react';
import { type UseFormRegisterReturn, useForm } from 'react-hook-form';
import * as v from 'valibot';
import type { Schema } from '@/api/types';
import type { Details } from '@/entities/place-choice/choose';
import { serverError } from '@/lib/forms';
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
  const { form, field, submit } = useDetailsForm(entry);
  const problem = form.formState.errors.room;
  const { delivery_prices: prices, delivery_time: minutes } = address;

  return (
    <form className="flex flex-col gap-3" noValidate onSubmit={(event) => void submit(event)}>
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
        label={t({ id: 'common.field.room', message: 'Apartment or office' })}
        autoComplete="address-line2"
        required
        maxLength={20}
        error={
          problem?.type === serverError || !problem
            ? problem?.message
            : t({
                id: 'place.address.enter-apartment-or-office',
                message: 'Enter the apartment or office. For a private house put a dash.',
              })
        }
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

const rules = v.object({
  room: v.pipe(v.string(), v.trim(), v.nonEmpty()),
  entrance: v.string(),
  floor: v.string(),
  intercom: v.string(),
  description: v.string(),
});

/** The form of the details. It begins with the draft and keeps in it what is typed. */
function useDetailsForm(entry: AddressEntry) {
  const form = useForm<Details>({
    mode: 'onSubmit',
    reValidateMode: 'onSubmit',
    defaultValues: entry.draft.details,
    resolver: valibotResolver(rules, undefined, { raw: true }),
  });
  return {
    form,
    field: (name: keyof Details) =>
      form.register(name, {
        onChange: ({ target }: { target: { value: string } }) => {
          form.clearErrors(name);
          entry.keepDetail(name, target.value);
        },
      }),
    submit: form.handleSubmit(async (details) => {
      const { room } = await entry.submit(details);
      if (room) form.setError('room', { type: serverError, message: room }, { shouldFocus: true });
    }),
  };
}

interface DoorFieldsProps {
  /** Binds a field to the form. */
  field: (name: keyof Details) => UseFormRegisterReturn<keyof Details>;
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
