import { useLingui } from '@lingui/react/macro';
import type { FormKind, FormValues } from './form-rules';

interface FormWords {
  title: string;
  /** The text above the fields. */
  lead: string;
  /** Returns what happens after the form was sent. */
  thanks: (values: FormValues) => string;
}

/** Returns the texts of a form. */
export function useFormWords(kind: FormKind): FormWords {
  const { t } = useLingui();
  switch (kind) {
    case 'call-me-back':
      return {
        title: t({ id: 'common.request-call', message: 'Request a call' }),
        lead: t({
          id: 'feedback.call.lead',
          message: 'Leave your number and we will call you back.',
        }),
        thanks: ({ phone }) =>
          t({ id: 'feedback.call.thanks', message: `We will call you soon on ${phone}.` }),
      };
    case 'feedback':
      return {
        title: t({ id: 'common.ask-question', message: 'Ask a question' }),
        lead: t({
          id: 'feedback.question.lead',
          message: 'Ask, praise or complain: we read every message.',
        }),
        thanks: ({ email }) =>
          t({
            id: 'feedback.question.thanks',
            message: `We have got your message and will answer to ${email}.`,
          }),
      };
    case 'supplier':
      return {
        title: t({ id: 'common.offer-goods', message: 'Offer your goods' }),
        lead: t({
          id: 'feedback.supplier.lead',
          message: 'Write what you supply. Our buyer will get in touch with you.',
        }),
        thanks: () =>
          t({
            id: 'feedback.supplier.thanks',
            message: 'We have got your offer. Our buyer will look at it and get in touch with you.',
          }),
      };
    case 'landlord':
      return {
        title: t({ id: 'common.offer-premises', message: 'Offer premises' }),
        lead: t({
          id: 'feedback.landlord.lead',
          message: 'Write where the premises are and how large they are.',
        }),
        thanks: () =>
          t({
            id: 'feedback.landlord.thanks',
            message: 'We have got your offer. We will look at it and get in touch with you.',
          }),
      };
    case 'return-request':
      return {
        title: t({ id: 'common.return-or-exchange', message: 'Return or exchange a dish' }),
        lead: t({
          id: 'feedback.return.lead',
          message:
            'We are sorry that something went wrong. Write what it was, and we will put it right.',
        }),
        thanks: ({ order_id: number, phone }) =>
          t({
            id: 'feedback.return.thanks',
            message: `We have got your request about order no. ${number}. We will call you on ${phone}.`,
          }),
      };
  }
}
