import type { UseFormReturn } from 'react-hook-form';
import { type AddressForm, type Details, detailNames } from '@/entities/address-form/details';
import { DetailsFields } from '@/entities/address-form/details-fields';
import type { CheckoutValues } from './form-rules';
import type { useProblemText } from './problem-text';

export interface FieldsProps {
  form: UseFormReturn<CheckoutValues>;
  problemText: ReturnType<typeof useProblemText>;
}

interface AddressFieldsProps extends FieldsProps {
  addressForm: AddressForm;
  values: Details;
}

/** How the courier finds the door, as the country's form asks for it. */
export function AddressFields({ form, problemText, addressForm, values }: AddressFieldsProps) {
  const { register, formState, clearErrors } = form;
  // What is missing of a flat is not missing of a private house.
  const onChange = () => clearErrors(detailNames);
  return (
    <DetailsFields
      form={addressForm}
      values={values}
      register={(name) => register(name, name === 'private_house' ? { onChange } : undefined)}
      problemOf={(name) => problemText(formState.errors[name])}
    />
  );
}
