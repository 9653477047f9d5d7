import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Disclosure } from '@/ui/disclosure';
import { TextArea } from '@/ui/fields/text-area';
import { useMoney } from '@/ui/money';
import { AddressFields } from './form/address-fields';
import { ContactFields, ownPhone } from './form/contact-fields';
import type { FieldName } from './form/form-rules';
import { PaymentFields } from './form/payment-fields';
import { useProblemText } from './form/problem-text';
import { NearestIntervals } from './intervals/nearest-intervals';
import { BonusToggle } from './offers/bonus-toggle';
import { PromocodeField } from './offers/promocode-field';
import { PlaceSummary } from './place-summary';
import { Section } from './section';
import type { Checkout } from './use-checkout';

const addressFields: FieldName[] = ['room', 'entrance', 'floor', 'intercom', 'description'];
const contactFields: FieldName[] = ['username', 'phone'];
const paymentFields: FieldName[] = ['paymentType', 'email', 'cash'];

/** The sections of the checkout: where, when, who, how to pay. */
export function CheckoutSections({ checkout }: { checkout: Checkout }) {
  const { form, values, bounds, city, place, sectionErrors } = checkout;
  const isDelivery = place.orderType === 'delivery';
  const problemText = useProblemText(city.cash_limit);
  const fields = { form, problemText };
  const where = useFolding(checkout, addressFields);
  const who = useFolding(checkout, contactFields);
  const pay = useFolding(checkout, paymentFields, { startsOpen: true });
  return (
    <div>
      <Section
        title={
          isDelivery ? (
            <Trans id="checkout.sections.where-to-deliver">Where to deliver</Trans>
          ) : (
            <Trans id="checkout.sections.where-to-pick-up">Where to pick up</Trans>
          )
        }
        error={sectionErrors.where}
        isOpen
      >
        <PlaceSummary place={place} lateMinutes={city.late_minutes} />
      </Section>
      {isDelivery && place.address && (
        <Section
          title={<Trans id="checkout.sections.to-door">Apartment and entrance</Trans>}
          summary={<AddressLine {...values} />}
          {...where}
        >
          <AddressFields {...fields} />
        </Section>
      )}
      <Section
        title={<Trans id="checkout.sections.when">When</Trans>}
        error={sectionErrors.when}
        isOpen
      >
        <NearestIntervals />
      </Section>
      <Section
        title={<Trans id="checkout.sections.who">Who</Trans>}
        summary={[values.username, phoneOf(checkout)].filter(Boolean).join(', ')}
        {...who}
      >
        <ContactFields
          {...fields}
          masks={city.phone_masks}
          mask={bounds.mask}
          orderer={checkout.orderer}
        />
      </Section>
      <Section
        title={<Trans id="checkout.how-to-pay">How to pay</Trans>}
        summary={<PaymentLine checkout={checkout} />}
        {...pay}
      >
        <PaymentFields {...fields} paymentTypes={checkout.paymentTypes} bounds={bounds} />
      </Section>
      <div className="border-b border-line py-2 empty:hidden">
        <PromocodeField />
        <BonusToggle />
      </div>
      <Comment
        form={form}
        hasText={values.comment !== ''}
        error={problemText(form.formState.errors.comment)}
      />
      {sectionErrors.order && (
        <p data-problem tabIndex={-1} className="text-danger">
          {sectionErrors.order}
        </p>
      )}
    </div>
  );
}

interface CommentProps extends Pick<Checkout, 'form'> {
  hasText: boolean;
  error: string | undefined;
}

/** A comment for the kitchen; open where there is one already. */
function Comment({ form, hasText, error }: CommentProps) {
  const { t } = useLingui();
  const label = t({ id: 'common.field.order-comment', message: 'Comment on the order' });
  // `undefined` lets the customer open and close it.
  return (
    <div className="pt-2 pb-4">
      <Disclosure summary={label} open={error !== undefined || hasText || undefined}>
        <TextArea
          {...form.register('comment')}
          label={label}
          hideLabel
          autoComplete="off"
          maxLength={500}
          error={error}
        />
      </Disclosure>
    </div>
  );
}

/** Returns how a section is folded: folded at first when nothing is missing in it, opened when a field is wrong. */
function useFolding(checkout: Checkout, names: FieldName[], { startsOpen = false } = {}) {
  const { isFine, form } = checkout;
  const isDone = isFine(...names);
  const [isOpen, setOpen] = useState(startsOpen || !isDone);
  const { errors } = form.formState;
  const isWrong = names.some((name) => errors[name]);
  // It stays open while it is being corrected.
  if (isWrong && !isOpen) setOpen(true);
  return { isDone: isDone && !isWrong, isOpen, onToggle: setOpen };
}

/** Returns the phone that the order is placed with; empty while the visitor has to sign in first. */
function phoneOf({ orderer, values, city }: Checkout): string {
  if (orderer.kind === 'guest') return values.phone;
  return orderer.kind === 'customer' ? ownPhone(orderer.user, city.phone_masks) : '';
}

/** Apartment, entrance, floor, intercom and the comment for the courier in one line. */
function AddressLine({ room, entrance, floor, intercom, description }: Checkout['values']) {
  const { t } = useLingui();
  return [
    t({ id: 'common.address.room', message: `apt. ${room}` }),
    entrance && t({ id: 'common.address.entrance', message: `entrance ${entrance}` }),
    floor && t({ id: 'common.address.floor', message: `floor ${floor}` }),
    intercom && t({ id: 'common.address.intercom', message: `intercom ${intercom}` }),
    description,
  ]
    .filter(Boolean)
    .join(', ');
}

/** The chosen way to pay in one line, with the sum that change is given from. */
function PaymentLine({ checkout: { values, paymentTypes } }: { checkout: Checkout }) {
  const { t } = useLingui();
  const money = useMoney();
  const name = paymentTypes.find(({ alias }) => alias === values.paymentType)?.name;
  if (values.paymentType !== 'cash' || values.cash === '') return name;
  const sum = money(Number(values.cash));
  return t({ id: 'checkout.sections.paid-with-change', message: `${name}, change from ${sum}` });
}
