import { Trans } from '@lingui/react/macro';
import { useId } from 'react';
import { PolicyLink } from '@/entities/words/policy-link';
import { Checkbox } from '@/ui/fields/checkbox';
import { useProblemText } from './problem-text';
import type { FeedbackForm } from './use-feedback-form';

/** The checkbox of the consent that every form requires, with the link to the policy. */
export function Agreement({ form }: Pick<FeedbackForm, 'form'>) {
  const problemText = useProblemText();
  const id = useId();
  const error = problemText(form.formState.errors.is_agreed);
  return (
    <div className="text-note">
      <Checkbox
        {...form.register('is_agreed')}
        label={<Trans id="feedback.agreement">I agree to the processing of my personal data</Trans>}
        required
        aria-invalid={error ? true : undefined}
        aria-describedby={error && id}
      />
      <div className="ps-8">
        <PolicyLink />
        <p id={id} aria-live="polite" className="text-danger empty:hidden">
          {error}
        </p>
      </div>
    </div>
  );
}
