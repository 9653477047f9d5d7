import { useLingui } from '@lingui/react/macro';
import { useId } from 'react';
import { Controller } from 'react-hook-form';
import type { Schema } from '@/api/types';
import { FieldFrame, fieldBox } from '@/ui/field-frame';
import { PhoneField } from '@/ui/phone-field';
import { TextField } from '@/ui/text-field';
import type { FieldsProps } from './address-fields';

interface ContactFieldsProps extends FieldsProps {
  masks: Schema<'City'>['phone_masks'];
  mask: string;
}

/** Who orders: a name and a phone in the mask of the city, or of the chosen country when there are several. */
export function ContactFields({ form, problemText, masks, mask }: ContactFieldsProps) {
  const { t } = useLingui();
  const { register, formState } = form;
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
      {masks.length > 1 && <CountryField form={form} masks={masks} />}
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

/** Which country's number it is; a number of another country begins anew. */
function CountryField({ form, masks }: Pick<ContactFieldsProps, 'form' | 'masks'>) {
  const { t } = useLingui();
  const id = useId();
  return (
    <FieldFrame id={id} label={t`Country of the number`}>
      <Controller
        control={form.control}
        name="maskId"
        render={({ field }) => (
          <select
            id={id}
            autoComplete="off"
            value={field.value}
            onChange={(event) => {
              field.onChange(Number(event.target.value));
              form.setValue('phone', '');
              form.clearErrors('phone');
            }}
            className={`${fieldBox(false)} min-h-12`}
          >
            {masks.map((mask) => (
              <option key={mask.id} value={mask.id}>
                {mask.name} {mask.code}
              </option>
            ))}
          </select>
        )}
      />
    </FieldFrame>
  );
}
