import { valibotResolver } from '@hookform/resolvers/valibot';
import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { type UseFormReturn, useForm } from 'react-hook-form';
import * as v from 'valibot';
import { api } from '@/api/client';
import { ApiFault, attempt } from '@/api/result';
import { repeatLost, repeatUntilKnown } from '@/api/retry';
import type { Schema } from '@/api/types';
import { useDistance } from '@/entities/city/use-distance';
import { PhoneInput } from '@/entities/contact/phone-input';
import { firstPhone, maskOf, type TypedPhone } from '@/entities/contact/typed-phone';
import { PolicyLink } from '@/entities/words/policy-link';
import { phoneRule, serverError } from '@/lib/forms';
import { phoneDigits } from '@/lib/phone';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/feedback/notice';
import { showFault } from '@/ui/feedback/show-failure';
import { usePhoneWords } from '@/ui/fields/phone-words';
import { openModal } from '@/ui/modals/modal-store';
import type { AddressEntry } from './use-address-entry';

interface ElsewhereProps {
  entry: AddressEntry;
  address: Schema<'DeliveryAddress'>;
  nearest?: Schema<'NearestShop'>;
  onShop: (shop: Schema<'Shop'>) => void;
  busyShopId: number | undefined;
}

/**
 * The notice that no shop delivers to the address, with the nearest shop for takeaway and the form for a message
 * once delivery begins.
 */
export function Elsewhere({ entry, address, nearest, onShop, busyShopId }: ElsewhereProps) {
  const metres = useDistance();
  const distance = nearest && metres(nearest.distance);
  const shop = nearest?.shop;
  return (
    <div className="flex flex-col gap-4">
      <div role="status">
        <Notice
          tone="warn"
          title={
            <Trans id="place.address.do-not-deliver-here-yet">We do not deliver here yet</Trans>
          }
        >
          {shop ? (
            <Trans id="place.address.nearest-shop">
              The nearest shop is {shop.name}, {distance} away.
            </Trans>
          ) : (
            <Trans id="place.address.choose-another-address">
              Choose another address, or leave your phone number and we will let you know.
            </Trans>
          )}
        </Notice>
      </div>
      {nearest && shop && (
        <div className="flex flex-wrap gap-2">
          <Button busy={busyShopId === shop.id} onClick={() => onShop(shop)}>
            <Trans id="place.address.pick-up-at">Pick it up at {shop.name}</Trans>
          </Button>
          <Button look="quiet" onClick={() => openModal('nearest-shop', { nearest })}>
            <Trans id="place.address.about-shop">About the shop</Trans>
          </Button>
        </div>
      )}
      <LeavePhone entry={entry} address={address} />
    </div>
  );
}

type PhoneFormProps = Pick<ElsewhereProps, 'entry' | 'address'>;

/** The form for the phone to notify once delivery to the address begins; nothing when the city has no phone mask. */
function LeavePhone(props: PhoneFormProps) {
  return props.entry.city.phone_masks.length > 0 ? <PhoneForm {...props} /> : null;
}

/**
 * Returns the mutation that sends the phone with the address. A refusal of the phone is shown at its field, any
 * other failure over the page.
 */
function useLeavePhone(form: UseFormReturn<TypedPhone>, { entry, address }: PhoneFormProps) {
  const { id, phone_masks: masks } = entry.city;
  return useMutation({
    mutationFn: async ({ phone, maskId }: TypedPhone) => {
      const { coordinates } = address.map;
      const digits = phoneDigits(phone, maskOf(masks, maskId));
      const body = { city_id: id, coordinates, phone: digits };
      // The server keeps a phone that is left twice for an address once.
      const send = () => attempt(api.POST('/feedback/unavailable-delivery-address', { body }));
      const result = await repeatUntilKnown(send, { policy: repeatLost });
      if (result.kind !== 'ok') throw new ApiFault(result);
    },
    onError: (error) => {
      const failure = error instanceof ApiFault ? error.failure : undefined;
      const refused = failure?.kind === 'invalid' ? failure.fields.phone : undefined;
      if (refused) form.setError('phone', { type: serverError, message: refused });
      else showFault(error);
    },
  });
}

/** The form for the phone; thanks after it was sent. The draft stores the typed phone. */
function PhoneForm(props: PhoneFormProps) {
  const { entry } = props;
  const { phone_masks: masks } = entry.city;
  const { t } = useLingui();
  const phoneWords = usePhoneWords();
  const form = useForm<TypedPhone>({
    mode: 'onSubmit',
    reValidateMode: 'onSubmit',
    defaultValues: firstPhone(masks, entry.draft),
    resolver: (values, context, options) => {
      const rules = v.object({
        phone: phoneRule(maskOf(masks, values.maskId)),
        maskId: v.number(),
      });
      return valibotResolver(rules)(values, context, options);
    },
  });
  const { mutate, isPending, isSuccess } = useLeavePhone(form, props);

  if (isSuccess) {
    return (
      <div role="status">
        <Notice tone="good">
          <Trans id="place.address.thank-let-know-when-deliver">
            Thank you. We will let you know when we deliver there.
          </Trans>
        </Notice>
      </div>
    );
  }
  const problem = form.formState.errors.phone;
  const errorText = () => {
    if (!problem || problem.type === serverError) return problem?.message;
    const length = problem.message === 'phone-long' ? 'long' : 'short';
    return problem.message === 'phone-required'
      ? t({
          id: 'place.address.enter-whole-phone-number',
          message: 'Enter the whole phone number.',
        })
      : phoneWords(length);
  };
  return (
    <form
      className="flex flex-col gap-2"
      noValidate
      onSubmit={(event) => void form.handleSubmit((values) => mutate(values))(event)}
    >
      <PhoneInput
        form={form}
        masks={masks}
        onTyped={(typed) => {
          form.clearErrors('phone');
          entry.setPhone(typed);
        }}
        label={t({
          id: 'place.address.phone-to-hear-when-deliver',
          message: 'Phone, to hear when we deliver there',
        })}
        error={errorText()}
      />
      <p className="text-note text-ink-soft">
        <Trans id="place.address.phone-for-this-message-only">
          We use the number for this message only.
        </Trans>{' '}
        <PolicyLink />
      </p>
      <Button type="submit" look="secondary" busy={isPending}>
        <Trans id="place.address.tell-me">Notify me</Trans>
      </Button>
    </form>
  );
}
