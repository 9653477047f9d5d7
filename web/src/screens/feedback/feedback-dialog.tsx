import { Trans, useLingui } from '@lingui/react/macro';
import { CircleCheck } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useWatch } from 'react-hook-form';
import { PhoneInput } from '@/entities/contact/phone-input';
import { Button } from '@/ui/button';
import { EmptyState } from '@/ui/feedback/empty-state';
import { Notice } from '@/ui/feedback/notice';
import { TextField } from '@/ui/fields/text-field';
import { useModalFrame } from '@/ui/modals/modal-frame';
import { Sheet } from '@/ui/sheet';
import { Agreement } from './agreement';
import { type FormKind, fieldsOf } from './form-rules';
import { useFormWords } from './form-words';
import { OwnFieldInput } from './own-field';
import { useProblemText } from './problem-text';
import { type FeedbackForm, useFeedbackForm } from './use-feedback-form';

/** The dialog with the form of a kind; after sending it shows the thanks. */
function FeedbackDialog({ kind }: { kind: FormKind }) {
  const feedback = useFeedbackForm(kind);
  const { title, lead, thanks } = useFormWords(kind);
  return (
    <Sheet title={title} size="small">
      {feedback.isSent ? (
        <Thanks>{thanks(feedback.form.getValues())}</Thanks>
      ) : (
        <Form kind={kind} lead={lead} feedback={feedback} />
      )}
    </Sheet>
  );
}

/** The dialog of each kind. */
export const dialogs = {
  'call-me-back': () => <FeedbackDialog kind="call-me-back" />,
  feedback: () => <FeedbackDialog kind="feedback" />,
  supplier: () => <FeedbackDialog kind="supplier" />,
  landlord: () => <FeedbackDialog kind="landlord" />,
  'return-request': () => <FeedbackDialog kind="return-request" />,
} satisfies Record<FormKind, () => ReactNode>;

interface FormProps {
  kind: FormKind;
  lead: string;
  feedback: FeedbackForm;
}

/** The fields of a form, the consent and the button that sends it. */
function Form({ kind, lead, feedback }: FormProps) {
  const { t } = useLingui();
  const problemText = useProblemText();
  const { form, masks, isBusy, submit } = feedback;
  const { errors } = form.formState;
  const isAgreed = useWatch({ control: form.control, name: 'is_agreed' });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <p className="text-ink-soft">{lead}</p>
      <TextField
        {...form.register('name')}
        label={t({ id: 'common.field.name', message: 'Your name' })}
        required
        autoComplete="name"
        autoCapitalize="words"
        enterKeyHint="next"
        maxLength={100}
        error={problemText(errors.name)}
      />
      <PhoneInput
        form={form}
        masks={masks}
        label={t({ id: 'common.field.phone', message: 'Phone' })}
        required
        enterKeyHint="next"
        error={problemText(errors.phone)}
      />
      {fieldsOf[kind].map((name) => (
        <OwnFieldInput key={name} form={form} kind={kind} name={name} />
      ))}
      <Agreement form={form} />
      <div role="alert" className="empty:hidden">
        {errors.root && <Notice tone="warn">{errors.root.message}</Notice>}
      </div>
      {/* Without consent a press says what is missing. */}
      <Button type="submit" size="large" wide busy={isBusy} aria-disabled={!isAgreed}>
        <Trans id="feedback.send">Send</Trans>
      </Button>
    </form>
  );
}

/** The thanks, with a text in `children` about what happens next. They take the focus when they replace the form. */
function Thanks({ children }: { children: string }) {
  const { close } = useModalFrame();
  const id = useId();
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <section ref={box} tabIndex={-1} aria-labelledby={id} className="outline-none">
      <EmptyState
        heading="h3"
        icon={CircleCheck}
        title={
          <span id={id}>
            <Trans id="feedback.thanks">Thank you</Trans>
          </span>
        }
        action={
          <Button onClick={close}>
            <Trans id="common.close">Close</Trans>
          </Button>
        }
      >
        {children}
      </EmptyState>
    </section>
  );
}
