import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { addressFormOf, detailNames, givenDetails } from '@/entities/address-form/details';
import { useDetailsLine } from '@/entities/address-form/details-line';
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

const contactFields: FieldName[] = ['username', 'phone'];
const paymentFields: FieldName[] = ['paymentType', 'email', 'cash'];

/** The sections of the checkout: place, address details, time, contact, payment, promocode and bonuses, comment. */
export function CheckoutSections({ checkout }: { checkout: Checkout }) {
  const { form, values, bounds, city, place, sectionErrors } = checkout;
  const isDelivery = place.orderType === 'delivery';
  const problemText = useProblemText(city.cash_limit);
  const fields = { form, problemText };
  const where = useFolding(checkout, detailNames);
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
          title={<Trans id="checkout.sections.to-door">How to find the door</Trans>}
          summary={<AddressLine checkout={checkout} />}
          {...where}
        >
          <AddressFields {...fields} addressForm={addressFormOf(city)} values={values} />
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
        <ContactFields {...fields} masks={city.phone_masks} orderer={checkout.orderer} />
      </Section>
      <Section
        title={<Trans id="checkout.how-to-pay">How to pay</Trans>}
        summary={<PaymentLine checkout={checkout} />}
        {...pay}
      >
        <PaymentFields
          {...fields}
          paymentTypes={checkout.paymentTypes}
          failed={checkout.failedTypes}
          bounds={bounds}
        />
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

/** The field for a comment on the order, folded unless it has a text or an error. */
function Comment({ form, hasText, error }: CommentProps) {
  const { t } = useLingui();
  const label = t({ id: 'common.field.order-comment', message: 'Comment on the order' });
  // `undefined` leaves it to the customer to fold it.
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

/**
 * Returns the folding of a section with these fields: folded at first when none of them is missing and
 * `startsOpen` is not set, opened by an error.
 */
function useFolding(checkout: Checkout, names: readonly FieldName[], { startsOpen = false } = {}) {
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

/** The details of the address and the comment for the courier in one line. */
function AddressLine({ checkout: { values, city } }: { checkout: Checkout }) {
  const { t } = useLingui();
  const detailsLine = useDetailsLine();
  const { description, ...details } = givenDetails(addressFormOf(city), values);
  const line = [detailsLine(details), description].filter(Boolean).join(', ');
  return line || t({ id: 'checkout.sections.nothing-to-add', message: 'Nothing to add' });
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
