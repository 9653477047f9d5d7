import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { firstProblems } from '@/lib/forms';
import { detailRules } from './detail-rules';
import {
  type AddressForm,
  areDetails,
  askedOf,
  type Details,
  detailsOf,
  emptyDetails,
  givenDetails,
} from './details';

const numbered: AddressForm = [
  { field: 'room', is_required: true, is_for_flats: true },
  { field: 'private_house', is_required: false, is_for_flats: false },
  { field: 'floor', is_required: false, is_for_flats: true },
  { field: 'intercom', is_required: false, is_for_flats: false },
];
const named: AddressForm = [
  { field: 'bell_name', is_required: true, is_for_flats: false },
  { field: 'landmark', is_required: true, is_for_flats: false },
];

const problems = (form: AddressForm, own: Partial<Details>) => {
  const details = { ...emptyDetails, ...own };
  return firstProblems(v.object(detailRules(askedOf(form, details))), details);
};

describe('an address form', () => {
  it('needs what the country needs', () => {
    expect(problems(numbered, { room: ' ' })).toEqual({ room: 'room-required' });
    expect(problems(named, {})).toEqual({
      bell_name: 'bell-name-required',
      landmark: 'detail-required',
    });
    expect(problems([], {})).toEqual({});
  });

  it('needs no flat of a private house, where it asks for one', () => {
    expect(problems(numbered, { private_house: true })).toEqual({});
    const without = numbered.filter(({ field }) => field !== 'private_house');
    expect(problems(without, { private_house: true })).toEqual({ room: 'room-required' });
  });

  it('refuses what is too long, unless it is not asked for', () => {
    expect(problems(numbered, { room: '1'.repeat(21) })).toEqual({ room: 'too-long' });
    expect(problems(named, { room: '1'.repeat(21), bell_name: 'A', landmark: 'B' })).toEqual({});
    expect(problems([], { description: 'x'.repeat(301) })).toEqual({ description: 'too-long' });
  });

  it('sends what is asked for, and the comment', () => {
    const details = { ...emptyDetails, room: '5', intercom: '5#', bell_name: 'Müller' };
    expect(givenDetails(numbered, details)).toEqual({
      room: '5',
      private_house: false,
      floor: '',
      intercom: '5#',
      description: '',
    });
    expect(givenDetails(numbered, { ...details, private_house: true })).toEqual({
      private_house: true,
      intercom: '5#',
      description: '',
    });
    expect(givenDetails(named, details)).toEqual({
      bell_name: 'Müller',
      landmark: '',
      description: '',
    });
  });
});

describe('the details of an address', () => {
  it('have a value in each field', () => {
    expect(detailsOf({ room: '5' })).toEqual({ ...emptyDetails, room: '5' });
    expect(detailsOf(undefined)).toEqual(emptyDetails);
  });

  it('are read from what an earlier version stored', () => {
    expect(areDetails({ room: '5', description: '' })).toBe(true);
    expect(areDetails({ private_house: 'yes' })).toBe(false);
    expect(areDetails(null)).toBe(false);
  });
});
