import { useLingui } from '@lingui/react/macro';
import type { FieldError } from 'react-hook-form';
import { serverError } from '@/lib/forms';
import type { FieldProblem } from './form-rules';

/** Returns a function that puts the problem of a field into words: what is wrong and how to correct it. */
export function useProblemText() {
  const { t } = useLingui();
  return (error: Pick<FieldError, 'type' | 'message'> | undefined): string | undefined => {
    if (!error) return undefined;
    if (error.type === serverError) return error.message;
    switch (error.message as FieldProblem) {
      case 'name-required':
        return t({ id: 'common.problem.name-empty', message: 'Tell us your name' });
      case 'too-long':
        return t({
          id: 'common.problem.too-long',
          message: 'This is too long. Shorten it a little',
        });
      case 'email-unknown':
        return t({
          id: 'profile.personal.check-address',
          message: 'Check the address: it should look like name@example.com',
        });
      case 'birthday-unknown':
        return t({
          id: 'profile.personal.no-such-day',
          message: 'There is no such day. Enter day, month and year',
        });
      case 'birthday-ahead':
        return t({
          id: 'profile.personal.day-still-to-come',
          message: 'This day is still to come. Check the year',
        });
      case 'birthday-long-ago':
        return t({
          id: 'profile.personal.more-than-120-years-ago',
          message: 'This is more than 120 years ago. Check the year',
        });
    }
  };
}
