import { Trans, useLingui } from '@lingui/react/macro';
import { Controller, useWatch } from 'react-hook-form';
import type { Schema } from '@/api/types';
import { Chip } from '@/ui/chip';
import { useMoney } from '@/ui/money';
import { RadioGroup } from '@/ui/radio-group';
import { TextField } from '@/ui/text-field';
import type { FieldsProps } from './address-fields';
import { type CashBounds, cashDigits, notesAbove, settledCash } from './cash';

interface PaymentFieldsProps extends FieldsProps {
  paymentTypes: readonly Schema<'PaymentType'>[];
  banknotes: readonly number[];
  bounds: CashBounds;
}

/** How the order is paid, and with cash the sum that change is to be given from. */
export function PaymentFields(props: PaymentFieldsProps) {
  const { form, problemText, paymentTypes } = props;
  const { t } = useLingui();
  const paymentType = useWatch({ control: form.control, name: 'paymentType' });
  const { errors } = form.formState;
  return (
    <div className="flex flex-col gap-4">
      <div data-problem={errors.paymentType ? true : undefined}>
        <Controller
          control={form.control}
          name="paymentType"
          render={({ field }) => (
            <RadioGroup
              legend={t`How to pay`}
              hideLegend
              layout="cards"
              options={paymentTypes.map(({ alias, name }) => ({ value: alias, label: name }))}
              value={field.value || undefined}
              onChange={field.onChange}
              error={problemText(errors.paymentType)}
            />
          )}
        />
      </div>
      {paymentType === 'cash' && <CashField {...props} />}
    </div>
  );
}

function CashField({ form, problemText, banknotes, bounds }: PaymentFieldsProps) {
  const { t } = useLingui();
  const money = useMoney();
  const cash = useWatch({ control: form.control, name: 'cash' });
  const put = (sum: number | undefined) =>
    form.setValue('cash', sum === undefined ? '' : String(sum), { shouldValidate: true });
  const notes = notesAbove(banknotes, bounds);
  return (
    <div className="flex flex-col gap-2">
      <Controller
        control={form.control}
        name="cash"
        render={({ field, fieldState }) => (
          <TextField
            name={field.name}
            ref={field.ref}
            value={field.value}
            onChange={(event) => field.onChange(cashDigits(event.target.value))}
            onBlur={() => {
              put(settledCash(field.value, bounds));
              field.onBlur();
            }}
            label={t`Change from`}
            hint={t`Leave it empty if you have the exact sum`}
            inputMode="numeric"
            autoComplete="off"
            enterKeyHint="done"
            error={problemText(fieldState.error)}
          />
        )}
      />
      {notes.length > 0 && (
        <fieldset className="flex flex-wrap gap-2">
          <legend className="sr-only">
            <Trans>Change from</Trans>
          </legend>
          {notes.map((note) => (
            <Chip
              key={note}
              pressed={cash === String(note)}
              onClick={() => put(cash === String(note) ? undefined : note)}
            >
              {money(note)}
            </Chip>
          ))}
        </fieldset>
      )}
    </div>
  );
}
