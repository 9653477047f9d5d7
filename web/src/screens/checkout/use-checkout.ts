import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { keys } from '@/api/keys';
import type { Schema } from '@/api/types';
import { type AddressForm, addressFormOf, givenDetails } from '@/entities/address-form/details';
import { useAvoided } from '@/entities/allergens/avoided';
import { useCaptcha } from '@/entities/captcha/use-captcha';
import { useCart } from '@/entities/cart/queries';
import { useCity, useCityPath } from '@/entities/city/context';
import { writeContact } from '@/entities/contact/contact';
import { writeLastOrder } from '@/entities/order/last-order';
import { paymentPath } from '@/entities/payment-state/payment-link';
import { paymentTypesQuery } from '@/entities/payment-state/queries';
import { writeUnpaidOrder } from '@/entities/payment-state/unpaid-order';
import { type OrderPlace, usePlace } from '@/entities/place/place';
import { phoneDigits } from '@/lib/phone';
import { focusFirstProblem } from './focus';
import { settledCash } from './form/cash';
import { removeDraft } from './form/draft';
import type { CheckoutValues, FormBounds } from './form/form-rules';
import { firstChoice, payableHere, writePaymentType } from './form/payment-choice';
import { type SectionName, sortServerErrors } from './form/server-fields';
import { useCheckoutForm } from './form/use-checkout-form';
import { type OrderDetails, type OrderPhase, useOrder } from './use-order';

/** Everything that the checkout's screen shows and does. */
export type Checkout = ReturnType<typeof useCheckout>;

/**
 * Returns the form, the cart, the state of the order and the handlers for the checkout's screen. Moves the focus
 * to the first wrong field after a refused press.
 */
export function useCheckout() {
  const { t } = useLingui();
  const client = useQueryClient();
  const city = useCity();
  const path = useCityPath();
  const [, navigate] = useLocation();
  const place = usePlace();
  const { cart } = useCart();
  const allergens = useAvoided();
  const container = useRef<HTMLDivElement>(null);
  const checkoutForm = useCheckoutForm(cart?.prices.total ?? 0);
  const { form, bounds } = checkoutForm;
  const sections = useSectionErrors(place, cart?.interval?.id);
  const focusProblem = useProblemFocus(container);
  const { data: offered, error: typesError, refetch } = useQuery(paymentTypesQuery(place));
  const paymentTypes = useMemo(() => payableHere(offered ?? [], window), [offered]);
  useDefaultPayment(form, paymentTypes);

  const captcha = useCaptcha('order');
  const { phase, send } = useOrder({
    onPlaced: ({ order_id: orderId, status, payment_type: paidBy }, key) => {
      const { username, phone, maskId, email } = form.getValues();
      writeContact({ username, phone, maskId, email: email.trim() || undefined });
      writePaymentType(paidBy);
      writeLastOrder({ orderId, cityAlias: city.alias });
      if (status === 'waiting_for_payment') {
        writeUnpaidOrder({ orderId, cityId: city.id, cityAlias: city.alias, key });
        location.assign(paymentPath(city.alias, key));
        return;
      }
      removeDraft(city.id);
      navigate(path(`/order/${orderId}/tracking`), { replace: true });
    },
    onPaidAlready: (orderId) => {
      removeDraft(city.id);
      navigate(path(`/order/${orderId}/tracking`), { replace: true });
    },
    onFields: (errors) => {
      const sorted = sortServerErrors(captcha.showIfAsked(errors), addressFormOf(city));
      checkoutForm.refuse(sorted.fields);
      sections.set(sorted.sections);
      focusProblem();
      if (!sorted.isFormOld) return;
      // What is missing in the form comes with the city, which is shown in a task of its own.
      const showMissing = () => setTimeout(focusProblem);
      void client.invalidateQueries({ queryKey: keys.city(city.alias) }).then(showMissing);
    },
  });

  const order = async () => {
    const missing = cart?.interval
      ? {}
      : { when: t({ id: 'checkout.choose-time', message: 'Choose a time' }) };
    let isRefused = false;
    const refuse = () => {
      isRefused = true;
    };
    const submit = form.handleSubmit((values) => {
      if (!cart?.interval) return refuse();
      return send({
        ...toDetails(values, bounds, place, addressFormOf(city)),
        ...toAllergens(allergens),
        ...toConsents(values.consents, city.order_consents),
        ...captcha.spendToken(),
      });
    }, refuse);
    sections.set(missing);
    await submit();
    if (isRefused) focusProblem();
  };

  return {
    ...checkoutForm,
    city,
    place,
    paymentTypes,
    /** Why the payment types did not load, and the function that loads them again; absent otherwise. */
    failedTypes:
      typesError && !offered ? { error: typesError, retry: () => void refetch() } : undefined,
    container,
    phase,
    isBusy: isBusy(phase),
    sectionErrors: sections.errors,
    captcha: captcha.box,
    order: () => void order(),
  };
}

/**
 * Returns a function that moves the focus to the first wrong field after the next render, when the fields show
 * their errors.
 */
function useProblemFocus(container: RefObject<HTMLElement | null>): () => void {
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (refusals > 0 && container.current) focusFirstProblem(container.current);
  }, [refusals, container]);
  return () => setRefusals((before) => before + 1);
}

/** Reports whether an order is being sent or checked, or has been placed: then no other can start. */
const isBusy = ({ kind }: OrderPhase) =>
  kind === 'sending' || kind === 'checking' || kind === 'placed';

/** Returns what the form adds to the order; a field that is not asked for is left out. */
function toDetails(
  values: CheckoutValues,
  { mask, cash, asksPhone, asksEmail }: FormBounds,
  { orderType, address }: OrderPlace,
  form: AddressForm,
): OrderDetails {
  const { paymentType } = values;
  return {
    username: values.username.trim(),
    phone: asksPhone ? phoneDigits(values.phone, mask) : undefined,
    email: asksEmail ? values.email.trim() : undefined,
    // The form is valid, so a payment type is chosen.
    payment_type: paymentType as Schema<'PaymentTypeAlias'>,
    cash: paymentType === 'cash' ? settledCash(values.cash, cash) : undefined,
    order_comment: values.comment.trim() || undefined,
    delivery_address:
      orderType === 'delivery' ? { id: address?.id, ...givenDetails(form, values) } : undefined,
  };
}

/** Returns the part of the order that names for the kitchen what the customer does not eat. */
const toAllergens = (allergens: readonly string[]) =>
  allergens.length > 0 ? { allergens: [...allergens] } : {};

/** Returns the part of the order that names the consents of the city whose boxes are ticked; empty when none is. */
const toConsents = (ticked: readonly string[], offered: readonly Schema<'OrderConsent'>[] = []) => {
  const consents = offered.map(({ alias }) => alias).filter((alias) => ticked.includes(alias));
  return consents.length > 0 ? { consents } : {};
};

/**
 * Returns the errors of whole sections. The errors of place and time are left out once the section has changed;
 * the error of the order stays until the next `set`.
 */
function useSectionErrors(place: OrderPlace, intervalId: string | undefined) {
  const [stored, setStored] = useState<{
    errors: Partial<Record<SectionName, string>>;
    place?: OrderPlace;
    intervalId?: string;
  }>({ errors: {} });
  const { where, when, order } = stored.errors;
  return {
    errors: {
      order,
      where: stored.place === place ? where : undefined,
      when: stored.intervalId === intervalId ? when : undefined,
    },
    set: (errors: Partial<Record<SectionName, string>>) => setStored({ errors, place, intervalId }),
  };
}

/** Chooses a payment type while the form has none, or a type that is not offered here. */
function useDefaultPayment(
  form: ReturnType<typeof useCheckoutForm>['form'],
  paymentTypes: readonly Schema<'PaymentType'>[],
) {
  useEffect(() => {
    const first = firstChoice(paymentTypes);
    const chosen = form.getValues('paymentType');
    if (first && !paymentTypes.some(({ alias }) => alias === chosen)) {
      form.setValue('paymentType', first.alias);
    }
  }, [form, paymentTypes]);
}
