import { valibotResolver } from '@hookform/resolvers/valibot';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type Resolver, useForm, useWatch } from 'react-hook-form';
import type { Schema } from '@/api/types';
import {
  addressFormOf,
  askedOf,
  detailNames,
  detailsOf,
  emptyDetails,
} from '@/entities/address-form/details';
import { useCity } from '@/entities/city/context';
import { readContact } from '@/entities/contact/contact';
import { firstPhone, maskOf } from '@/entities/contact/typed-phone';
import { useOrderer } from '@/entities/contact/use-orderer';
import { usePlace } from '@/entities/place/place';
import { userQuery } from '@/entities/session/queries';
import { firstProblems, serverError } from '@/lib/forms';
import { readDraft, writeDraft } from './draft';
import { type CheckoutValues, type FieldName, type FormBounds, rulesFor } from './form-rules';

type Address = Schema<'DeliveryAddress'>;

/** Returns the aliases of the required consents. */
const requiredAliases = (consents: readonly Schema<'OrderConsent'>[] = []) =>
  consents.filter(({ is_required: isRequired }) => isRequired).map(({ alias }) => alias);

/**
 * Returns the form's first values: the draft of this tab, otherwise the contact of the last order and the
 * details of the address.
 */
function firstValues(city: Schema<'City'>, address: Address | undefined): CheckoutValues {
  const draft = readDraft(city.id);
  const isSameAddress = draft.addressId === address?.id;
  const contact = readContact();
  const values: CheckoutValues = {
    username: contact?.username ?? '',
    ...firstPhone(city.phone_masks, contact),
    paymentType: '',
    email: contact?.email ?? '',
    cash: '',
    comment: '',
    consents: [],
    ...emptyDetails,
    ...draft.values,
  };
  return isSameAddress ? values : { ...values, ...detailsOf(address) };
}

/**
 * Returns the form of the checkout. A field is checked when it is left, and its error is cleared when it is
 * corrected. The hook stores the draft in the tab, fills in the account's name and e-mail, and resets the
 * details when the address changes.
 */
export function useCheckoutForm(total: number) {
  const city = useCity();
  const { orderType, address } = usePlace();
  const orderer = useOrderer();
  const isTurkish = city.country.code === 'TR';
  const asksPhone = orderer.kind === 'guest';
  const boundsOf = (values: CheckoutValues): FormBounds => {
    const { maskId, paymentType } = values;
    return {
      orderType,
      asked: orderType === 'delivery' ? askedOf(addressFormOf(city), values) : [],
      mask: maskOf(city.phone_masks, maskId),
      asksPhone,
      asksEmail: city.email_required_for?.some((alias) => alias === paymentType) ?? false,
      consents: requiredAliases(city.order_consents),
      paysCash: paymentType === 'cash',
      cash: { total, limit: city.cash_limit, roundsUp: isTurkish },
    };
  };
  const resolver: Resolver<CheckoutValues> = (values, context, options) =>
    // With `raw` the form's values stay as they were typed.
    valibotResolver(rulesFor(boundsOf(values)), undefined, { raw: true })(values, context, options);
  const form = useForm<CheckoutValues>({
    mode: 'onTouched',
    defaultValues: firstValues(city, address),
    resolver,
    // The page opens folded sections first and then moves the focus itself.
    shouldFocusError: false,
  });
  const values = useWatch({ control: form.control, compute: (all: CheckoutValues) => all });

  const ownName = orderer.kind === 'customer' ? orderer.user.name : '';
  useEffect(() => {
    if (ownName && form.getValues('username') === '') form.setValue('username', ownName);
    // The phone field is gone after a sign-in, so its error must go too.
    if (!asksPhone) form.clearErrors('phone');
  }, [form, ownName, asksPhone]);

  const { asksEmail } = boundsOf(values);
  const { data: ownEmail } = useQuery({
    ...userQuery(),
    select: ({ email }) => email,
    enabled: asksEmail && orderer.kind === 'customer',
  });
  useEffect(() => {
    if (asksEmail && ownEmail && form.getValues('email') === '') form.setValue('email', ownEmail);
  }, [form, asksEmail, ownEmail]);

  const addressId = address?.id;
  useEffect(() => writeDraft(city.id, { values, addressId }), [city.id, values, addressId]);

  const detailsFor = useRef(addressId);
  useEffect(() => {
    if (detailsFor.current === addressId) return;
    detailsFor.current = addressId;
    for (const [name, value] of Object.entries(detailsOf(address))) {
      form.setValue(name as FieldName, value);
    }
    form.clearErrors(detailNames);
  }, [form, address, addressId]);

  return {
    form,
    values,
    orderer,
    bounds: boundsOf(values),
    /** Reports whether the fields are valid, also those that were not visited. */
    isFine: (...names: FieldName[]) => {
      const found = firstProblems(rulesFor(boundsOf(values)), values);
      return names.every((name) => !found[name]);
    },
    /** Shows the server's errors at their fields. */
    refuse: (errors: Partial<Record<FieldName, string>>) => {
      for (const [name, message] of Object.entries(errors)) {
        form.setError(name as FieldName, { type: serverError, message });
      }
    },
  };
}
