import { type AddressForm, detailNames } from '@/entities/address-form/details';
import type { FieldName } from './form-rules';

/** The section that an error belongs to when it belongs to no field. */
export type SectionName = 'where' | 'when' | 'order';

const fieldOf: Record<string, FieldName> = {
  description: 'description',
  username: 'username',
  phone: 'phone',
  payment_type: 'paymentType',
  email: 'email',
  consents: 'consents',
  cash: 'cash',
  order_comment: 'comment',
};

const sectionOf: Record<string, SectionName> = {
  delivery_address: 'where',
  delivery_zone_id: 'where',
  shop_id: 'where',
  order_type: 'where',
  interval_id: 'when',
  // Details that the form of this page lacks.
  ...Object.fromEntries(detailNames.map((name) => [name, 'where'])),
};

/** The fields that the form checks where the city asks for them: the server refuses them when it asks for more. */
const askedByCity: readonly FieldName[] = ['email', 'consents'];

export interface ServerErrors {
  fields: Partial<Record<FieldName, string>>;
  sections: Partial<Record<SectionName, string>>;
  isFormOld: boolean;
}

/**
 * Sorts the server's errors by the field or section where the customer can correct them; an unknown name counts
 * as an error of the whole order. Fields of an address are those that the form has; others belong to the place.
 * `isFormOld` says that content has probably changed what the city asks for since.
 */
export function sortServerErrors(errors: Record<string, string>, form: AddressForm): ServerErrors {
  const sorted: ServerErrors = { fields: {}, sections: {}, isFormOld: false };
  for (const [name, message] of Object.entries(errors)) {
    const field = fieldOf[name] ?? form.find((question) => question.field === name)?.field;
    if (field) sorted.fields[field] = message;
    else sorted.sections[sectionOf[name] ?? 'order'] ??= message;
    const lacksDetail = !field && detailNames.some((detail) => detail === name);
    if (lacksDetail || (field && askedByCity.includes(field))) sorted.isFormOld = true;
  }
  return sorted;
}
