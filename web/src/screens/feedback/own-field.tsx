import { useLingui } from '@lingui/react/macro';
import type { ComponentProps, ReactNode } from 'react';
import { Controller } from 'react-hook-form';
import { RadioGroup } from '@/ui/fields/radio-group';
import { TextArea } from '@/ui/fields/text-area';
import { TextField } from '@/ui/fields/text-field';
import { type FormKind, isOptional, type OwnField } from './form-rules';
import { useProblemText } from './problem-text';
import type { FeedbackForm } from './use-feedback-form';

interface OwnFieldProps {
  form: FeedbackForm['form'];
  kind: FormKind;
  name: OwnField;
}

/** The attributes of the fields of one line; the lengths are the contract's. */
const typing: Record<
  Exclude<OwnField, 'wish' | 'message'>,
  Pick<ComponentProps<'input'>, 'type' | 'inputMode' | 'autoComplete' | 'maxLength'>
> = {
  email: { type: 'email', inputMode: 'email', autoComplete: 'email', maxLength: 254 },
  city_name: { autoComplete: 'address-level2', maxLength: 200 },
  company: { autoComplete: 'organization', maxLength: 200 },
  product_category: { autoComplete: 'off', maxLength: 200 },
  shop: { autoComplete: 'off', maxLength: 200 },
  square: { inputMode: 'decimal', autoComplete: 'off', maxLength: 9 },
  order_id: { inputMode: 'numeric', autoComplete: 'off', maxLength: 12 },
};

/** A field that only some kinds of forms have. */
export function OwnFieldInput({ form, kind, name }: OwnFieldProps) {
  const labels = useLabels(kind);
  const problemText = useProblemText();
  if (name === 'wish') return <CompensationChoice form={form} legend={labels.wish} />;
  const field = {
    ...form.register(name),
    label: labels[name],
    required: !isOptional(kind, name),
    error: problemText(form.formState.errors[name]),
  };
  if (name === 'message') return <TextArea {...field} rows={4} maxLength={4000} />;
  return <TextField {...field} {...typing[name]} enterKeyHint="next" />;
}

/** Returns the label of each field. */
function useLabels(kind: FormKind): Record<OwnField, ReactNode> {
  const { t } = useLingui();
  return {
    email: isOptional(kind, 'email')
      ? t({ id: 'feedback.field.email-optional', message: 'E-mail (optional)' })
      : t({ id: 'feedback.field.email', message: 'E-mail' }),
    city_name: t({ id: 'feedback.field.city', message: 'City' }),
    company: t({ id: 'feedback.field.company', message: 'Company' }),
    product_category: t({ id: 'feedback.field.category', message: 'What you supply' }),
    shop: t({ id: 'feedback.field.shop', message: 'Shopping mall or address' }),
    square: t({ id: 'feedback.field.area', message: 'Area, m²' }),
    order_id: t({ id: 'feedback.field.order-number', message: 'Order number' }),
    wish: t({ id: 'feedback.field.wish', message: 'What shall we do?' }),
    message:
      kind === 'feedback'
        ? t({ id: 'feedback.field.message', message: 'Your message' })
        : t({ id: 'feedback.field.what-is-wrong', message: 'What is wrong' }),
  };
}

/** The choice between a refund and a new dish. */
function CompensationChoice({ form, legend }: Pick<OwnFieldProps, 'form'> & { legend: ReactNode }) {
  const { t } = useLingui();
  const problemText = useProblemText();
  return (
    <Controller
      control={form.control}
      name="wish"
      render={({ field, fieldState }) => (
        <RadioGroup
          legend={legend}
          layout="cards"
          options={[
            { value: 'return', label: t({ id: 'feedback.wish.return', message: 'Refund me' }) },
            {
              value: 'exchange',
              label: t({ id: 'feedback.wish.exchange', message: 'Bring it again' }),
            },
          ]}
          value={field.value}
          onChange={field.onChange}
          error={problemText(fieldState.error)}
        />
      )}
    />
  );
}
