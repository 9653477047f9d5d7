import { useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { useId } from 'react';
import { CaptchaBox } from '@/entities/captcha/captcha-box';
import { Button } from '@/ui/button';
import { classes } from '@/ui/classes';
import { fieldBox } from '@/ui/fields/field-frame';
import { IconButton } from '@/ui/icon-button';
import { useOrderObstacle } from '../order-step/order-step';
import { canCheckPromocode } from './rules';
import { usePromocodeForm } from './use-promocode-form';

/**
 * The field for a promocode; locked once a code is applied, until it is removed. A refused code stays
 * in the field to be corrected. Nothing while no code can be checked.
 */
export function PromocodeField() {
  const { t } = useLingui();
  const obstacle = useOrderObstacle();
  const id = useId();
  const promocode = usePromocodeForm();
  const { field, error, applied, isBusy, isDearer, warning, captcha, apply, remove } = promocode;
  if (!applied && !canCheckPromocode(obstacle)) return null;

  const isBad = isDearer || applied?.is_active === false;
  return (
    <div className="flex flex-col gap-1.5 py-3">
      <label htmlFor={id} className="text-note strong">
        {t({ id: 'checkout.offers.promo-code', message: 'Promo code' })}
      </label>
      <div className="flex flex-wrap gap-2">
        <input
          {...field}
          id={id}
          type="text"
          name="promocode"
          value={applied?.code ?? field.value}
          readOnly={applied !== undefined || isBusy}
          maxLength={64}
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          // Enter applies the code; the checkout would move on to its next field.
          data-own-enter
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-note`}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            event.stopPropagation();
            apply();
          }}
          className={classes(fieldBox(error !== undefined), 'min-h-12 min-w-0 grow basis-36')}
        />
        {applied ? (
          <span className="grid place-items-center">
            <IconButton
              icon={X}
              look="filled"
              label={t({
                id: 'checkout.offers.remove-code-named',
                message: `Remove promo code ${applied.code}`,
              })}
              disabled={isBusy}
              onClick={remove}
            />
          </span>
        ) : (
          <Button look="secondary" busy={isBusy} onClick={apply}>
            {t({ id: 'checkout.offers.apply', message: 'Apply' })}
          </Button>
        )}
      </div>
      <p
        id={`${id}-note`}
        aria-live="polite"
        className={classes('text-note empty:hidden', noteTone(error, isBad))}
      >
        {error ?? warning}
      </p>
      {captcha && !applied && <CaptchaBox {...captcha} />}
      {isDearer && (
        <span>
          <Button look="secondary" size="small" disabled={isBusy} onClick={remove}>
            {t({ id: 'checkout.offers.remove-code', message: 'Remove the promo code' })}
          </Button>
        </span>
      )}
    </div>
  );
}

/** Returns the class of the colour of the note under the field: `isBad` marks a warning. */
const noteTone = (error: string | undefined, isBad: boolean) => {
  if (error) return 'text-danger';
  return isBad ? 'text-warn' : 'text-good';
};
