import { valibotResolver } from '@hookform/resolvers/valibot';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { MapPin } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { type Resolver, useForm } from 'react-hook-form';
import * as v from 'valibot';
import type { Schema } from '@/api/types';
import { useDetailProblem } from '@/entities/address-form/detail-problem';
import { type DetailProblem, detailRules } from '@/entities/address-form/detail-rules';
import { addressFormOf, askedOf, type Details, detailNames } from '@/entities/address-form/details';
import { DetailsFields } from '@/entities/address-form/details-fields';
import { shopsQuery } from '@/entities/city/queries';
import { serverError } from '@/lib/forms';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/feedback/notice';
import { useDeliveryTerms } from '../use-delivery-terms';
import type { AddressEntry } from './use-address-entry';

interface AddressDetailsProps {
  entry: AddressEntry;
  address: Schema<'DeliveryAddress'>;
}

/**
 * Returns the form of the details. Typed values are stored in the draft, and the server's errors are shown at
 * their fields.
 */
function useDetailsForm(entry: AddressEntry) {
  const problemText = useDetailProblem();
  const addressForm = addressFormOf(entry.city);
  const resolver: Resolver<Details> = (values, context, options) =>
    // With `raw` the form's values stay as they were typed.
    valibotResolver(v.object(detailRules(askedOf(addressForm, values))), undefined, { raw: true })(
      values,
      context,
      options,
    );
  const form = useForm<Details>({ defaultValues: entry.draft.details, resolver });
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
  const { errors, isSubmitting: isBusy } = form.formState;
  const problemOf = (name: keyof Details) => {
    const error = errors[name];
    if (!error?.message) return undefined;
    return error.type === serverError ? error.message : problemText(error.message as DetailProblem);
  };
  // What is missing of a flat is not missing of a private house.
  const onChange = () => form.clearErrors(detailNames);
  const register = (name: keyof Details) =>
    form.register(name, name === 'private_house' ? { onChange } : undefined);
  return { fields: { form: addressForm, register, problemOf }, submit, isBusy };
}

/** Reports whether the shop that cooks for an address works now; true while the shops are not loaded. */
function useIsKitchenOpen(
  { delivery_zone_id: zoneId }: Schema<'DeliveryAddress'>,
  { id, delivery_zones: zones }: Schema<'City'>,
) {
  const { data: shops } = useQuery(shopsQuery(id));
  const shopId = zones.find((zone) => zone.id === zoneId)?.shop_id;
  return shops?.find((shop) => shop.id === shopId)?.open_state.open ?? true;
}

/** The details of an address that is delivered to: what delivery costs, and how the courier finds the door. */
export function AddressDetails({ entry, address }: AddressDetailsProps) {
  const { t } = useLingui();
  const deliveryTerms = useDeliveryTerms();
  const { fields, submit, isBusy } = useDetailsForm(entry);
  const { delivery_prices: prices } = address;
  const isOpen = useIsKitchenOpen(address, entry.city);
  // A closed kitchen cooks later: the soonest time comes with the choice.
  const minutes = isOpen ? address.delivery_time : undefined;

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
      <DetailsFields values={entry.draft.details} {...fields} />
      <div className="pt-1">
        <Button type="submit" size="large" wide busy={isBusy}>
          <Trans id="place.address.deliver-here">Deliver here</Trans>
        </Button>
      </div>
    </form>
  );
}
