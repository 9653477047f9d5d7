import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import type { Schema } from '@/api/types';
import { classes } from '@/ui/classes';
import { Disclosure } from '@/ui/disclosure';
import { Checkbox } from '@/ui/fields/checkbox';
import { TextArea } from '@/ui/fields/text-area';
import { TextField, type TextFieldProps } from '@/ui/fields/text-field';
import { type AddressForm, askedOf, type Details } from './details';

type Field = Schema<'AddressField'>;

interface DetailsFieldsProps {
  form: AddressForm;
  /** What the fields have now. */
  values: Details;
  /** Returns the props that bind a field to its form. */
  register: (name: keyof Details) => UseFormRegisterReturn;
  /** Returns what is wrong with a field. */
  problemOf: (name: keyof Details) => ReactNode;
}

/**
 * How the courier finds the door, asked for as the country's form has it: what an order needs is shown,
 * the rest and the comment are folded.
 */
export function DetailsFields({ form, values, register, problemOf }: DetailsFieldsProps) {
  const { t } = useLingui();
  const shown = shownCount(form);
  const [first, rest] = [form.slice(0, shown), form.slice(shown)];
  const names = [...rest.map(({ field }) => field), 'description' as const];
  const fold = useFold(
    names.some((name) => Boolean(values[name])),
    names.some((name) => Boolean(problemOf(name))),
  );
  const asked = askedOf(form, values);
  const question = (one: AddressForm[number], place: number, part: AddressForm) => (
    <DetailField
      key={one.field}
      field={one.field}
      isBeside={isBeside(part, place)}
      required={one.is_required && asked.includes(one)}
      disabled={!asked.includes(one)}
      error={problemOf(one.field)}
      {...register(one.field)}
    />
  );
  return (
    <div className="flex flex-col gap-2 [&>details]:border-b-0">
      <div className="grid grid-cols-2 items-start gap-3 empty:hidden">{first.map(question)}</div>
      <Disclosure
        summary={<Trans id="address-form.more">More details for the courier</Trans>}
        end={<Trans id="address-form.if-needed">if needed</Trans>}
        {...fold}
      >
        <div className="flex flex-col gap-3">
          <div className="grid grid-cols-2 items-start gap-3 empty:hidden">
            {rest.map(question)}
          </div>
          <TextArea
            {...register('description')}
            label={t({ id: 'address-form.comment', message: 'Note for the courier' })}
            autoComplete="off"
            error={problemOf('description')}
          />
        </div>
      </Disclosure>
    </div>
  );
}

/** Returns how many fields of a form stand open: those up to the last that an order needs or that changes what it needs, one at least. */
const shownCount = (form: AddressForm): number =>
  form.reduce(
    (count, { field, is_required: isRequired }, place) =>
      isRequired || field === 'private_house' ? place + 1 : count,
    1,
  );

/** Returns how the rest is folded: open at first if one of its fields has a value, later opened when the first value or the first problem appears in it, and closed only by the customer. */
function useFold(isFilled: boolean, isWrong: boolean) {
  const [open, setOpen] = useState(isFilled);
  const [before, setBefore] = useState({ isFilled, isWrong });
  if (before.isFilled !== isFilled || before.isWrong !== isWrong) {
    setBefore({ isFilled, isWrong });
    if ((isFilled && !before.isFilled) || (isWrong && !before.isWrong)) setOpen(true);
  }
  return { open, onToggle: setOpen };
}

/** The fields as wide as both columns, because their answers are long. */
const wide: readonly Field[] = ['building', 'rear_building', 'bell_name', 'landmark'];

/** What browsers fill in. A bell has the name of a family, which need not be that of the customer's account. */
const autoComplete: Partial<Record<Field, string>> = {
  room: 'address-line2',
  bell_name: 'family-name',
};

/** Reports whether a field of a part of the form stands in the right one of two columns, beside the field before it. */
const isBeside = (part: AddressForm, place: number): boolean =>
  part.slice(0, place).reduce((column, { field }) => (wide.includes(field) ? 0 : 1 - column), 0) ===
  1;

interface DetailFieldProps extends Pick<TextFieldProps, 'required' | 'disabled' | 'error'> {
  field: Field;
  isBeside: boolean;
}

/** A field of the form: a checkbox for private_house, a text field for everything else. */
function DetailField({
  field,
  isBeside,
  required,
  disabled,
  error,
  ...bound
}: DetailFieldProps & UseFormRegisterReturn) {
  const label = useLabel(field);
  if (field === 'private_house') {
    return (
      // Lowered to the box of the text field beside it, whose label stands above.
      <div className={classes(isBeside && 'pt-7')}>
        <Checkbox {...bound} label={label} />
      </div>
    );
  }
  return (
    <div className={classes(wide.includes(field) && 'col-span-2')}>
      <TextField
        {...bound}
        label={label}
        required={required}
        disabled={disabled}
        // Floors and flats have letters in many countries, so that no keyboard of digits is asked for.
        autoComplete={autoComplete[field] ?? 'off'}
        enterKeyHint="next"
        error={error}
      />
    </div>
  );
}

/** Returns what a field is called. */
function useLabel(field: Field): string {
  const { t } = useLingui();
  switch (field) {
    case 'room':
      return t({ id: 'address-form.field.room', message: 'Apartment or office' });
    case 'private_house':
      return t({ id: 'address-form.field.private-house', message: 'Private house' });
    case 'building':
      return t({ id: 'address-form.field.building', message: 'Building name or block' });
    case 'rear_building':
      return t({
        id: 'address-form.field.rear-building',
        message: 'Rear building or side wing',
      });
    case 'entrance':
      return t({ id: 'address-form.field.entrance', message: 'Entrance' });
    case 'floor':
      return t({ id: 'address-form.field.floor', message: 'Floor' });
    case 'intercom':
      return t({ id: 'address-form.field.intercom', message: 'Intercom' });
    case 'bell_name':
      return t({ id: 'address-form.field.bell-name', message: 'Name at the doorbell' });
    case 'landmark':
      return t({ id: 'address-form.field.landmark', message: 'Landmark or directions' });
  }
}
