import { valibotResolver } from '@hookform/resolvers/valibot';
import { Trans, useLingui } from '@lingui/react/macro';
import { MapPin } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { useForm } from 'react-hook-form';
import * as v from 'valibot';
import type { Schema } from '@/api/types';
import type { Details } from '@/entities/place-choice/choose';
import { serverError } from '@/lib/forms';
import { Button } from '@/ui/button';
import { Disclosure } from '@/ui/disclosure';
import { Notice } from '@/ui/feedback/notice';
import { TextArea } from '@/ui/fields/text-area';
import { TextField } from '@/ui/fields/text-field';
import { useDeliveryTerms } from '../use-delivery-terms';
import type { AddressEntry } from './use-address-entry';

interface AddressDetailsProps {
  entry: AddressEntry;
  address: Schema<'DeliveryAddress'>;
}

const roomRequired = 'room-required';

const rules = v.object({
  room: v.pipe(
    v.string(),
    v.check((typed) => typed.trim() !== '', roomRequired),
  ),
  entrance: v.string(),
  floor: v.string(),
  intercom: v.string(),
  description: v.string(),
});

/**
 * Returns the form of the details: what is typed is kept in the draft, what the server refuses is
 * shown at its field.
 */
function useDetailsForm(entry: AddressEntry) {
  const { t } = useLingui();
  const form = useForm<Details>({
    defaultValues: entry.draft.details,
    resolver: valibotResolver(rules),
  });
  const keep = useEffectEvent(entry.keepDetails);
  useEffect(() => {
    const { unsubscribe } = form.watch(() => keep(form.getValues()));
    return unsubscribe;
  }, [form]);
  const submit = form.handleSubmit(async (details) => {
    const refused = Object.entries(await entry.submit(details));
    const known = refused.filter(([name]) => name in details);
    known.forEach(([name, message], place) => {
      const error = { type: serverError, message };
      form.setError(name as keyof Details, error, { shouldFocus: place === 0 });
    });
  });
  const { errors } = form.formState;
  const problemOf = (name: keyof Details) =>
    errors[name]?.message === roomRequired
      ? t({
          id: 'place.address.enter-apartment-or-office',
          message: 'Enter the apartment or office. For a private house put a dash.',
        })
      : errors[name]?.message;
  const field = (name: keyof Details) => ({ ...form.register(name), error: problemOf(name) });
  return { field, submit, isBusy: form.formState.isSubmitting };
}

/** The details of an address that is delivered to: what delivery costs, and how the courier finds the door. */
export function AddressDetails({ entry, address }: AddressDetailsProps) {
  const { t } = useLingui();
  const deliveryTerms = useDeliveryTerms();
  const { field, submit, isBusy } = useDetailsForm(entry);
  const { delivery_prices: prices, delivery_time: minutes } = address;

  return (
    <form className="flex flex-col gap-3" noValidate onSubmit={submit}>
      <div role="status">
        <Notice
          tone="good"
          icon={MapPin}
          title={t({ id: 'place.address.we-deliver-here', message: 'We deliver here' })}
        >
          {prices && (
            <span className="text-note">{deliveryTerms({ prices, minutes }).join(' · ')}</span>
          )}
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
      />
      <DoorFields field={field} />
      <div className="sticky bottom-0 -mb-4 bg-surface pt-1 pb-4">
        <Button type="submit" size="large" wide busy={isBusy}>
          <Trans id="place.address.deliver-here">Deliver here</Trans>
        </Button>
      </div>
    </form>
  );
}

interface DoorFieldsProps {
  /** Returns the props that bind a field to the form. */
  field: ReturnType<typeof useDetailsForm>['field'];
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
