import { useLingui } from '@lingui/react/macro';
import type { FieldError } from 'react-hook-form';
import { useDetailProblem } from '@/entities/address-form/detail-problem';
import { serverError } from '@/lib/forms';
import { usePhoneWords } from '@/ui/fields/phone-words';
import { useMoney } from '@/ui/money';
import type { FieldProblem } from './form-rules';

/** Returns a function that puts the problem of a field into words: what is wrong and how to correct it. */
export function useProblemText(cashLimit: number) {
  const { t } = useLingui();
  const money = useMoney();
  const phoneWords = usePhoneWords();
  const detailProblem = useDetailProblem();
  return (error: Pick<FieldError, 'type' | 'message'> | undefined): string | undefined => {
    if (!error) return undefined;
    if (error.type === serverError) return error.message;
    const problem = error.message as FieldProblem;
    switch (problem) {
      case 'room-required':
      case 'bell-name-required':
      case 'detail-required':
      case 'too-long':
        return detailProblem(problem);
      case 'name-required':
        return t({ id: 'common.problem.name-empty', message: 'Tell us your name' });
      case 'phone-required':
        return t({
          id: 'checkout.form.enter-phone-number-can-reach',
          message: 'Enter a phone number so that we can reach you',
        });
      case 'phone-short':
        return phoneWords('short');
      case 'phone-long':
        return phoneWords('long');
      case 'payment-required':
        return t({ id: 'checkout.form.choose-how-to-pay', message: 'Choose how to pay' });
      case 'email-required':
        return t({
          id: 'checkout.form.enter-email',
          message: 'Enter an e-mail: the receipt goes there',
        });
      case 'email-unknown':
        return t({
          id: 'checkout.form.check-email',
          message: 'Check the e-mail: it looks incomplete',
        });
      case 'consent-required':
        return t({
          id: 'checkout.form.cannot-take-order-without',
          message: 'We cannot take the order without this',
        });
      case 'cash-below':
        return t({
          id: 'checkout.form.less-than-order-total',
          message: 'This is less than the order total',
        });
      case 'cash-limit':
        return t({
          id: 'checkout.form.change-limit',
          message: `We can give change from ${money(cashLimit)} at most`,
        });
    }
  };
}
