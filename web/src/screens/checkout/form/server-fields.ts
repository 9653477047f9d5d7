import type { FieldName } from './form-rules';

/** The section that an error belongs to when it belongs to no field. */
export type SectionName = 'where' | 'when' | 'order';

const fieldOf: Record<string, FieldName> = {
  room: 'room',
  entrance: 'entrance',
  floor: 'floor',
  intercom: 'intercom',
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
};

export interface ServerErrors {
  fields: Partial<Record<FieldName, string>>;
  sections: Partial<Record<SectionName, string>>;
}

/** Sorts the server's errors by the field or section where the customer can correct them; the rest goes to the order as a whole. */
export function sortServerErrors(errors: Record<string, string>): ServerErrors {
  const sorted: ServerErrors = { fields: {}, sections: {} };
  for (const [name, message] of Object.entries(errors)) {
    const field = fieldOf[name];
    if (field) sorted.fields[field] = message;
    else sorted.sections[sectionOf[name] ?? 'order'] ??= message;
  }
  return sorted;
}
