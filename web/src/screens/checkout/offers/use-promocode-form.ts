import { valibotResolver } from '@hookform/resolvers/valibot';
import { useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type FieldError, useController, useForm } from 'react-hook-form';
import * as v from 'valibot';
import type { Failure } from '@/api/result';
import { useCaptcha } from '@/entities/captcha/use-captcha';
import { useCart } from '@/entities/cart/queries';
import { showRefusal } from '@/entities/cart/show-refusal';
import { serverError } from '@/lib/forms';
import { announce } from '@/ui/feedback/announcer';
import { useMoney } from '@/ui/money';
import { useOffers } from './use-offers';

const codeRequired = 'code-required';

const rules = v.object({ code: v.pipe(v.string(), v.trim(), v.nonEmpty(codeRequired)) });

/**
 * Returns the state of the promocode field: the typed code, the applied code, the outcome, and the functions
 * that apply and remove it.
 */
export function usePromocodeForm() {
  const { t } = useLingui();
  const money = useMoney();
  const { cart } = useCart();
  const { applyPromocode, forgetPromocode } = useOffers();
  const refusalText = useRefusalText();
  const form = useForm({
    mode: 'onSubmit',
    reValidateMode: 'onSubmit',
    defaultValues: { code: '' },
    resolver: valibotResolver(rules),
  });
  const { field, fieldState } = useController({ control: form.control, name: 'code' });
  const [isRemoving, setRemoving] = useState(false);
  // The extra cost of the code; it is shown until the total has changed again.
  const [cost, setCost] = useState({ extraCost: 0, total: 0 });
  const captcha = useCaptcha('promocode');
  const applied = cart?.promocode;
  const isBusy = form.formState.isSubmitting || isRemoving;
  useWhenRemoved(applied !== undefined, isRemoving, () => form.setFocus('code'));

  const refuse = (failure: Failure) => {
    const isAsked = failure.kind === 'invalid' && failure.fields.captcha_user_token;
    // The captcha is shown instead of an error, unless the site has none.
    if (isAsked && !captcha.showIfAsked(failure.fields).promocode) return;
    captcha.hide();
    const error = { type: serverError, message: refusalText(failure) };
    form.setError('code', error, { shouldFocus: true });
  };
  const send = form.handleSubmit(async ({ code }) => {
    const result = await applyPromocode(code, captcha.spendToken());
    if (result.failure) {
      refuse(result.failure);
      return;
    }
    captcha.hide();
    form.reset();
    setCost(result);
    // The warning says it already.
    if (result.extraCost === 0)
      announce(
        t({ id: 'checkout.offers.promo-code-applied', message: 'The promo code is applied' }),
      );
  });
  const errorText = (error: FieldError | undefined) =>
    error?.message === codeRequired
      ? t({ id: 'checkout.offers.type-code-first', message: 'Type the code first' })
      : error?.message;
  const isDearer = applied !== undefined && cost.extraCost > 0 && cost.total === cart?.prices.total;
  return {
    field: {
      ...field,
      onChange: (event: React.ChangeEvent<HTMLInputElement>) => {
        field.onChange(event);
        form.clearErrors('code');
      },
    },
    error: errorText(fieldState.error),
    applied,
    isBusy,
    isDearer,
    /** The note about the applied code: it makes the order dearer, or why it has no effect. */
    warning: isDearer
      ? t({
          id: 'checkout.offers.with-code-pay-more',
          message: `With this code you pay ${money(cost.extraCost)} more: bonuses cannot be combined with it.`,
        })
      : applied?.text,
    captcha: captcha.box,
    apply: () => {
      if (!applied && !isBusy) void send();
    },
    remove: () => {
      setRemoving(true);
      forgetPromocode(() => setRemoving(false));
    },
  };
}

/**
 * Returns a function that returns the text of a refusal for the field of the code. When the refusal is not about
 * the code, the function also shows it over the page like any refused change of the cart.
 */
function useRefusalText(): (failure: Failure) => string {
  const { t } = useLingui();
  return (failure) => {
    switch (failure.kind) {
      case 'invalid':
        if (!failure.fields.promocode) showRefusal(failure);
        return failure.fields.promocode ?? failure.message;
      case 'tooMany': {
        const minutes = Math.ceil(failure.retryAfter / 60);
        // The server's sentence gets a full stop, since another sentence follows.
        const why = failure.message.replace(/[^.]$/, '$&.');
        return [why, t({ id: 'common.try-again-in-min', message: `Try again in ${minutes} min.` })]
          .filter(Boolean)
          .join(' ');
      }
      case 'offline':
        return t({
          id: 'checkout.offers.no-connection',
          message: 'No connection. Try again when the network is back.',
        });
      default:
        return (
          failure.message ||
          t({ id: 'common.failed-try-again', message: 'Something went wrong. Try again.' })
        );
    }
  };
}

/**
 * Calls `onRemoved` once the customer has removed the applied code. The pressed button is gone then, so the
 * caller has to move the focus.
 */
function useWhenRemoved(isApplied: boolean, isRemoving: boolean, onRemoved: () => void) {
  const wasRemoving = useRef(false);
  const handleRemoved = useEffectEvent(onRemoved);
  useEffect(() => {
    if (isApplied) {
      wasRemoving.current = isRemoving;
    } else if (wasRemoving.current) {
      wasRemoving.current = false;
      handleRemoved();
    }
  }, [isApplied, isRemoving]);
}
