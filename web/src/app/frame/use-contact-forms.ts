import { useLingui } from '@lingui/react/macro';

/** A form to the brand that the frame opens. */
interface ContactForm {
  modal: 'call-me-back' | 'feedback';
  name: string;
}

/** Returns the forms that the frame offers on each of its pages; a form about one subject is on the page about it. */
export function useContactForms(): ContactForm[] {
  const { t } = useLingui();
  return [
    {
      modal: 'call-me-back',
      name: t({ id: 'common.request-call', message: 'Request a call' }),
    },
    { modal: 'feedback', name: t({ id: 'common.ask-question', message: 'Ask a question' }) },
  ];
}
