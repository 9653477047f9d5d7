import { useLingui } from '@lingui/react/macro';
import { Controller } from 'react-hook-form';
import type { Schema } from '@/api/types';
import { PhoneField } from '@/ui/phone-field';
import { SegmentedSwitch } from '@/ui/segmented-switch';
import { TextField } from '@/ui/text-field';
import type { FieldsProps } from './address-fields';

interface ContactFieldsProps extends FieldsProps {
  masks: Schema<'City'>['phone_masks'];
  mask: string;
}

/** Who orders: a name and a phone in the mask of the city, or of the chosen country when there are several. */
export function ContactFields({ form, problemText, masks, mask }: ContactFieldsProps) {
  const { t } = useLingui();
  const { register, control, formState } = form;
  const { errors } = formState;
  return (
    <div className="flex flex-col gap-3">
      <TextField
        {...register('username')}
        label={t`Your name`}
        required
        autoComplete="name"
        autoCapitalize="words"
        enterKeyHint="next"
        error={problemText(errors.username)}
      />
      {masks.length > 1 && (
        <Controller
          control={control}
          name="maskId"
          render={({ field }) => (
            <SegmentedSwitch
              label={t`Country of the number`}
              options={masks.map(({ id, name, code }) => ({
                value: String(id),
                label: `${name} ${code}`,
              }))}
              value={String(field.value)}
              onChange={(id) => {
                field.onChange(Number(id));
                form.setValue('phone', '');
                form.clearErrors('phone');
              }}
            />
          )}
        />
      )}
      <PhoneField
        {...register('phone')}
        key={mask}
        mask={mask}
        label={t`Phone`}
        required
        enterKeyHint="done"
        error={problemText(errors.phone)}
      />
    </div>
  );
}
