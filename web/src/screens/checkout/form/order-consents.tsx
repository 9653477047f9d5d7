import { Trans, useLingui } from '@lingui/react/macro';
import { useId } from 'react';
import { type UseFormReturn, useController } from 'react-hook-form';
import type { Schema } from '@/api/types';
import { Checkbox } from '@/ui/fields/checkbox';
import { Link } from '@/ui/link';
import { VisuallyHidden } from '@/ui/visually-hidden';
import type { CheckoutValues } from './form-rules';
import type { useProblemText } from './problem-text';

type Consent = Schema<'OrderConsent'>;

interface OrderConsentsProps {
  form: UseFormReturn<CheckoutValues>;
  problemText: ReturnType<typeof useProblemText>;
  consents: readonly Consent[];
}

/** The consents before ordering, each with its own checkbox; nothing when the city has none. */
export function OrderConsents(props: OrderConsentsProps) {
  return props.consents.length > 0 && <ConsentBoxes {...props} />;
}

/** The checkboxes. They subscribe to the form when they appear, with an error that it has already. */
function ConsentBoxes({ form, problemText, consents }: OrderConsentsProps) {
  const { field, fieldState, formState } = useController({
    control: form.control,
    name: 'consents',
  });
  const given = field.value;
  const error = problemText(fieldState.error);
  const toggle = (alias: string, isGiven: boolean) =>
    form.setValue('consents', isGiven ? [...given, alias] : given.filter((one) => one !== alias), {
      shouldValidate: formState.isSubmitted,
    });
  return (
    <fieldset className="min-w-0 text-note">
      <legend className="sr-only">
        <Trans id="common.what-you-agree-to">What you agree to</Trans>
      </legend>
      {consents.map((consent) => {
        const isGiven = given.includes(consent.alias);
        return (
          <ConsentBox
            key={consent.alias}
            consent={consent}
            isGiven={isGiven}
            error={consent.is_required && !isGiven ? error : undefined}
            onToggle={(next) => toggle(consent.alias, next)}
          />
        );
      })}
    </fieldset>
  );
}

interface ConsentBoxProps {
  consent: Consent;
  isGiven: boolean;
  error: string | undefined;
  onToggle: (isGiven: boolean) => void;
}

/** The checkbox of a consent, with the link to its text and the error. */
function ConsentBox({ consent, isGiven, error, onToggle }: ConsentBoxProps) {
  const { t } = useLingui();
  const id = useId();
  const { text, url, is_required: isRequired } = consent;
  return (
    <div>
      <Checkbox
        label={text}
        note={isRequired ? undefined : t({ id: 'checkout.form.optional', message: 'Optional' })}
        checked={isGiven}
        required={isRequired}
        aria-invalid={error ? true : undefined}
        aria-describedby={error && id}
        onChange={(event) => onToggle(event.target.checked)}
      />
      <div className="ps-8">
        {url && (
          <p className="pb-1">
            <Link href={url} target="_blank" rel="noreferrer">
              <Trans id="checkout.form.read-it">Read it</Trans>
              <VisuallyHidden>
                {' '}
                <Trans id="common.opens-in-new-tab">(opens in a new tab)</Trans>
              </VisuallyHidden>
            </Link>
          </p>
        )}
        <p id={id} aria-live="polite" className="pb-1 text-danger empty:hidden">
          {error}
        </p>
      </div>
    </div>
  );
}
