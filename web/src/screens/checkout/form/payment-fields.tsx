import { Trans, useLingui } from '@lingui/react/macro';
import { Controller, useWatch } from 'react-hook-form';
import type { Schema } from '@/api/types';
import { useCity } from '@/entities/city/context';
import { Button } from '@/ui/button';
import { Chip } from '@/ui/chip';
import { RadioGroup } from '@/ui/fields/radio-group';
import { TextField } from '@/ui/fields/text-field';
import { useMoney } from '@/ui/money';
import { failedReason } from '../failed-reason';
import type { FieldsProps } from './address-fields';
import { cashDigits, notesAbove, settledCash } from './cash';
import type { FormBounds } from './form-rules';
import { PaymentMark, usePaymentHint } from './payment-words';

interface PaymentFieldsProps extends FieldsProps {
  paymentTypes: readonly Schema<'PaymentType'>[];
  /** Present when the payment types did not load. */
  failed?: { error: Error; retry: () => void };
  bounds: FormBounds;
}

/**
 * The choice of the payment type, with the fields that the chosen type needs: the cash sum, the e-mail for the
 * receipt.
 */
export function PaymentFields(props: PaymentFieldsProps) {
  const { form, problemText, paymentTypes, failed, bounds } = props;
  const { t } = useLingui();
  const paymentType = useWatch({ control: form.control, name: 'paymentType' });
  const { errors } = form.formState;
  const hint = usePaymentHint(bounds.orderType);
  return (
    <div className="flex flex-col gap-4">
      {failed && (
        <p className="flex flex-wrap items-center gap-2 text-note">
          <span>
            {failedReason(failed.error) ??
              t({ id: 'common.failed-try-again', message: 'Something went wrong. Try again.' })}
          </span>
          <Button look="secondary" size="small" onClick={failed.retry}>
            <Trans id="common.try-again">Try again</Trans>
          </Button>
        </p>
      )}
      <div data-problem={errors.paymentType ? true : undefined}>
        <Controller
          control={form.control}
          name="paymentType"
          render={({ field }) => (
            <RadioGroup
              legend={t({ id: 'checkout.how-to-pay', message: 'How to pay' })}
              hideLegend
              layout="wide-cards"
              options={paymentTypes.map(({ alias, name }) => ({
                value: alias,
                label: name,
                note: hint(alias),
                end: <PaymentMark alias={alias} />,
              }))}
              value={field.value || undefined}
              onChange={field.onChange}
              error={problemText(errors.paymentType)}
            />
          )}
        />
      </div>
      {bounds.asksEmail && (
        <TextField
          {...form.register('email')}
          label={t({ id: 'common.field.receipt-email', message: 'E-mail for the receipt' })}
          type="email"
          inputMode="email"
          autoComplete="email"
          required
          enterKeyHint="done"
          error={problemText(errors.email)}
        />
      )}
      {paymentType === 'cash' && <CashField {...props} />}
    </div>
  );
}

/**
 * The field for the sum that the customer pays in cash, with buttons for banknotes above the total. A second press
 * on a banknote empties the field.
 */
function CashField({ form, problemText, bounds: { cash: bounds } }: PaymentFieldsProps) {
  const { t } = useLingui();
  const money = useMoney();
  const { banknotes } = useCity();
  const cash = useWatch({ control: form.control, name: 'cash' });
  const setCash = (sum: number | undefined) =>
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
              setCash(settledCash(field.value, bounds));
              field.onBlur();
            }}
            label={t({ id: 'checkout.form.change-from', message: 'Change from' })}
            hint={t({
              id: 'checkout.form.leave-empty-if-exact-sum',
              message: 'Leave it empty if you have the exact sum',
            })}
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
            <Trans id="checkout.form.change-from">Change from</Trans>
          </legend>
          {notes.map((note) => (
            <Chip
              key={note}
              pressed={cash === String(note)}
              onClick={() => setCash(cash === String(note) ? undefined : note)}
            >
              {money(note)}
            </Chip>
          ))}
        </fieldset>
      )}
    </div>
  );
}
