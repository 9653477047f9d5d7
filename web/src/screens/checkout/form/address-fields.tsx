import { Trans, useLingui } from '@lingui/react/macro';
import type { UseFormReturn } from 'react-hook-form';
import { Disclosure } from '@/ui/disclosure';
import { TextArea } from '@/ui/fields/text-area';
import { TextField } from '@/ui/fields/text-field';
import type { CheckoutValues } from './form-rules';
import type { useProblemText } from './problem-text';

export interface FieldsProps {
  form: UseFormReturn<CheckoutValues>;
  problemText: ReturnType<typeof useProblemText>;
}

const optional = ['entrance', 'floor', 'intercom', 'description'] as const;

/** How the courier finds the door: the apartment has a field, the rest is folded. */
export function AddressFields({ form, problemText }: FieldsProps) {
  const { t } = useLingui();
  const { register, formState, getValues } = form;
  const { errors } = formState;
  // `undefined` lets the customer open and close the rest.
  const isNeeded = optional.some((name) => errors[name]) || undefined;
  const isFilled = optional.some((name) => getValues(name) !== '') || undefined;
  return (
    <div className="flex flex-col gap-2 [&>details]:border-b-0">
      <div className="max-w-56">
        <TextField
          {...register('room')}
          label={t({ id: 'common.field.room', message: 'Apartment or office' })}
          required
          autoComplete="address-line2"
          enterKeyHint="next"
          error={problemText(errors.room)}
        />
      </div>
      <Disclosure
        summary={
          <Trans id="checkout.form.entrance-floor">Entrance, floor, note for the courier</Trans>
        }
        open={isNeeded ?? isFilled}
      >
        <div className="grid grid-cols-3 gap-3">
          <TextField
            {...register('entrance')}
            label={t({ id: 'common.field.entrance', message: 'Entrance' })}
            autoComplete="off"
            enterKeyHint="next"
            error={problemText(errors.entrance)}
          />
          <TextField
            {...register('floor')}
            label={t({ id: 'common.field.floor', message: 'Floor' })}
            inputMode="numeric"
            autoComplete="off"
            enterKeyHint="next"
            error={problemText(errors.floor)}
          />
          <TextField
            {...register('intercom')}
            label={t({ id: 'common.field.intercom', message: 'Intercom' })}
            autoComplete="off"
            enterKeyHint="next"
            error={problemText(errors.intercom)}
          />
        </div>
        <div className="mt-3">
          <TextArea
            {...register('description')}
            label={t({ id: 'checkout.form.note-for-courier', message: 'Note for the courier' })}
            autoComplete="off"
            error={problemText(errors.description)}
          />
        </div>
      </Disclosure>
    </div>
  );
}
