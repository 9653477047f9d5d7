import type { Schema } from '@/api/types';

/** The details of an address as the values of fields, also of those that the form does not have. */
export type Details = Required<Schema<'AddressDetails'>>;

/** What the country of a city asks for besides street and house, in this order. */
export type AddressForm = readonly Schema<'AddressQuestion'>[];

export const emptyDetails: Details = {
  room: '',
  private_house: false,
  building: '',
  rear_building: '',
  entrance: '',
  floor: '',
  intercom: '',
  bell_name: '',
  landmark: '',
  description: '',
};

/** The names of all details. */
export const detailNames = Object.keys(emptyDetails) as (keyof Details)[];

/** Returns the form of the city's addresses; empty for a city whose server does not say it. */
export const addressFormOf = (city: Schema<'City'>): AddressForm => city.address_form ?? [];

/** Returns the details of an address as values of the fields; empty without an address. */
export const detailsOf = (address: Schema<'AddressDetails'> | undefined): Details =>
  Object.fromEntries(
    detailNames.map((name) => [name, address?.[name] ?? emptyDetails[name]]),
  ) as Details;

/** Reports whether a stored value may be the details of an address; names that it lacks are those of later versions. */
export const areDetails = (value: unknown): value is Partial<Details> =>
  typeof value === 'object' &&
  value !== null &&
  detailNames.every((name) => {
    const one = (value as Record<string, unknown>)[name];
    return one === undefined || typeof one === typeof emptyDetails[name];
  });

/** Returns the part of the form that is asked for at this address: of a private house nothing that only flats have. */
export function askedOf(form: AddressForm, details: Pick<Details, 'private_house'>): AddressForm {
  const isPrivate = details.private_house && form.some(({ field }) => field === 'private_house');
  return isPrivate ? form.filter(({ is_for_flats: isForFlats }) => !isForFlats) : form;
}

/** Returns the details that go to the server: those that are asked for, and the comment. */
export function givenDetails(form: AddressForm, details: Details): Schema<'AddressDetails'> {
  const names = [...askedOf(form, details).map(({ field }) => field), 'description' as const];
  return Object.fromEntries(names.map((name) => [name, details[name]]));
}
