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

/** Returns the form of a promocode: what is typed, what is applied, and the outcome. */
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
    /** What the applied code does, or why it does nothing. */
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
 * Returns a function that says why a code was refused, for the field of the code. When the reason is not
 * the code itself, it also shows the refusal as one of a change of the cart.
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
 * Calls `onRemoved` once the customer has removed the applied code: the pressed button has gone then,
 * so the focus needs another place.
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
