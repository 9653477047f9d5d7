import { useLingui } from '@lingui/react/macro';
import type { FieldError } from 'react-hook-form';
import { serverError } from '@/lib/forms';
import { usePhoneWords } from '@/ui/fields/phone-words';
import type { FormProblem } from './form-rules';

/** Returns a function that puts the problem of a field into words: what is wrong and how to correct it. */
export function useProblemText() {
  const { t } = useLingui();
  const phoneWords = usePhoneWords();
  return (error: Pick<FieldError, 'type' | 'message'> | undefined): string | undefined => {
    if (!error || error.type === serverError) return error?.message;
    switch (error.message as FormProblem) {
      case 'name-empty':
        return t({ id: 'common.problem.name-empty', message: 'Tell us your name' });
      case 'empty':
        return t({ id: 'feedback.problem.empty', message: 'Fill in this field' });
      case 'phone-required':
        return t({
          id: 'feedback.problem.phone-required',
          message: 'Enter a phone number so that we can call you',
        });
      case 'phone-short':
        return phoneWords('short');
      case 'phone-long':
        return phoneWords('long');
      case 'email-wrong':
        return t({
          id: 'feedback.problem.email-wrong',
          message: 'Check the e-mail: it looks incomplete',
        });
      case 'area-wrong':
        return t({
          id: 'feedback.problem.area-wrong',
          message: 'Enter the area as a number, such as 120',
        });
      case 'order-wrong':
        return t({
          id: 'feedback.problem.order-wrong',
          message: 'Enter the number of the order, digits only',
        });
      case 'not-agreed':
        return t({
          id: 'feedback.problem.not-agreed',
          message: 'Tick the box: without your consent we cannot take the request',
        });
    }
  };
}
