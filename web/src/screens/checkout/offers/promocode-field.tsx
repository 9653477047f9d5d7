import { useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { Failure } from '@/api/result';
import { CaptchaBox } from '@/entities/captcha/captcha-box';
import { useCaptcha } from '@/entities/captcha/use-captcha';
import { useCart } from '@/entities/cart/queries';
import { showRefusal } from '@/entities/cart/show-refusal';
import { announce } from '@/ui/announcer';
import { Button } from '@/ui/button';
import { classes } from '@/ui/classes';
import { fieldBox } from '@/ui/field-frame';
import { IconButton } from '@/ui/icon-button';
import { useMoney } from '@/ui/money';
import { useOrderObstacle } from '../order-step/order-step';
import { canOrderAtAll } from './rules';
import { useOffers } from './use-offers';

/**
 * A code to type in; locked once it is applied, until it is taken away. What was refused stays to be
 * corrected. Hidden while nothing can be ordered anyway.
 */
export function PromocodeField() {
  const { t } = useLingui();
  const { cart } = useCart();
  const obstacle = useOrderObstacle();
  const { applyPromocode, forgetPromocode } = useOffers();
  const refusalText = useRefusalText();
  const money = useMoney();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  // What the code made dearer, shown as long as the total is the one that it made.
  const [cost, setCost] = useState({ dearer: 0, total: 0 });
  const captcha = useCaptcha('promocode');
  const applied = cart?.promocode;
  useFocusWhenTakenAway(input, applied !== undefined, isBusy);
  if (!applied && !canOrderAtAll(obstacle)) return null;

  const apply = async () => {
    const code = text.trim();
    if (applied || isBusy) return;
    if (code === '') {
      setError(t`Type the code first`);
      input.current?.focus();
      return;
    }
    setBusy(true);
    setError(undefined);
    const result = await applyPromocode(code, captcha.spendToken());
    setBusy(false);
    if (result.failure) {
      const { failure } = result;
      const isAsked = failure.kind === 'invalid' && failure.fields.captcha_user_token;
      if (isAsked && !captcha.ask(failure.fields).promocode) return;
      captcha.hide();
      setError(refusalText(failure));
      input.current?.focus();
      return;
    }
    captcha.hide();
    setText('');
    setCost(result);
    // The warning speaks for itself.
    if (result.dearer === 0) announce(t`The promo code is applied`);
  };
  const remove = () => {
    setBusy(true);
    forgetPromocode(() => setBusy(false));
  };
  const isDearer = applied !== undefined && cost.dearer > 0 && cost.total === cart?.prices.total;
  const warning = isDearer
    ? t`With this code you pay ${money(cost.dearer)} more: bonuses cannot be combined with it.`
    : applied?.text;
  const note = error ?? warning;
  const isBad = isDearer || applied?.is_active === false;
  return (
    <div className="flex flex-col gap-1.5 py-3">
      <label htmlFor={id} className="text-note strong">
        {t`Promo code`}
      </label>
      <div className="flex gap-2">
        <input
          ref={input}
          id={id}
          type="text"
          name="promocode"
          value={applied?.code ?? text}
          readOnly={applied !== undefined || isBusy}
          maxLength={64}
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          // Enter is ours: the checkout would go on to its next field.
          data-own-enter
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-note`}
          onChange={(event) => {
            setText(event.target.value);
            setError(undefined);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            event.stopPropagation();
            void apply();
          }}
          className={classes(fieldBox(error !== undefined), 'min-h-12 min-w-0 flex-1')}
        />
        {applied ? (
          <span className="grid place-items-center">
            <IconButton
              icon={X}
              look="filled"
              label={t`Remove promo code ${applied.code}`}
              disabled={isBusy}
              onClick={remove}
            />
          </span>
        ) : (
          <Button look="secondary" busy={isBusy} onClick={() => void apply()}>
            {t`Apply`}
          </Button>
        )}
      </div>
      <p
        id={`${id}-note`}
        aria-live="polite"
        className={classes('text-note empty:hidden', noteTone(error, isBad))}
      >
        {note}
      </p>
      {captcha.box && !applied && <CaptchaBox {...captcha.box} />}
      {isDearer && (
        <span>
          <Button look="secondary" size="small" disabled={isBusy} onClick={remove}>
            {t`Remove the promo code`}
          </Button>
        </span>
      )}
    </div>
  );
}

const noteTone = (error: string | undefined, isBad: boolean) => {
  if (error) return 'text-danger';
  return isBad ? 'text-warn' : 'text-good';
};

/** Why a code was refused, at the field; what belongs elsewhere is shown there too. */
function useRefusalText(): (failure: Failure) => string {
  const { t } = useLingui();
  return (failure) => {
    switch (failure.kind) {
      case 'invalid':
        if (!failure.fields.promocode) showRefusal(failure);
        return failure.fields.promocode ?? failure.message;
      case 'tooMany': {
        const minutes = Math.ceil(failure.retryAfter / 60);
        const why = failure.message.replace(/[^.]$/, '$&.');
        return [why, t`Try again in ${minutes} min.`].filter(Boolean).join(' ');
      }
      case 'offline':
        return t`No connection. Try again when the network is back.`;
      default:
        return failure.message || t`It did not work. Try again.`;
    }
  };
}

/** The button that took the code away is gone: the focus goes to the field that is open again. */
function useFocusWhenTakenAway(
  input: React.RefObject<HTMLInputElement | null>,
  isApplied: boolean,
  isBusy: boolean,
) {
  const wasTakingAway = useRef(false);
  useEffect(() => {
    if (isApplied) {
      wasTakingAway.current = isBusy;
    } else if (wasTakingAway.current) {
      wasTakingAway.current = false;
      input.current?.focus();
    }
  }, [input, isApplied, isBusy]);
}
