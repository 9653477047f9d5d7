import { describe, expect, it } from 'vitest';
import { emptyDetails } from '@/entities/address-form/details';
import { firstProblems } from '@/lib/forms';
import { type CheckoutValues, type FormBounds, rulesFor } from './form-rules';

const bounds: FormBounds = {
  orderType: 'delivery',
  asked: [{ field: 'room', is_required: true, is_for_flats: true }],
  mask: '+7 (###) ###-##-##',
  asksPhone: true,
  asksEmail: false,
  consents: [],
  paysCash: true,
  cash: { total: 1240, limit: 5000, roundsUp: false },
};

const filled: CheckoutValues = {
  ...emptyDetails,
  room: '12',
  username: 'Anna',
  phone: '+7 (999) 123-45-67',
  maskId: 1,
  paymentType: 'cash',
  email: '',
  cash: '',
  comment: '',
  consents: [],
};

const check = (own: Partial<CheckoutValues>, other: Partial<FormBounds> = {}) =>
  firstProblems(
    rulesFor({ ...bounds, paysCash: (own.paymentType ?? 'cash') === 'cash', ...other }),
    { ...filled, ...own },
  );

describe('checkout form', () => {
  it('passes with an apartment, a name and a whole phone', () => {
    expect(check({})).toEqual({});
  });

  it('asks for the details of a delivery only', () => {
    expect(check({ room: ' ' })).toEqual({ room: 'room-required' });
    expect(check({ room: '' }, { orderType: 'takeaway', asked: [] })).toEqual({});
  });

  it('asks for a name that is more than spaces', () => {
    expect(check({ username: '  ' })).toEqual({ username: 'name-required' });
  });

  it('finds a missing phone and an unfinished one', () => {
    expect(check({ phone: '' })).toEqual({ phone: 'phone-required' });
    expect(check({ phone: '+7 (999) 123' })).toEqual({ phone: 'phone-short' });
    expect(check({ phone: '+7 (999) 123-45-678' })).toEqual({ phone: 'phone-long' });
  });

  it('asks no phone of a customer who is signed in', () => {
    expect(check({ phone: '' }, { asksPhone: false })).toEqual({});
  });

  it('takes a phone typed with +8 9', () => {
    expect(check({ phone: '+8 999 123 45 67' })).toEqual({});
  });

  it('looks at the change only when cash is chosen', () => {
    expect(check({ cash: '100' })).toEqual({ cash: 'cash-below' });
    expect(check({ cash: '100', paymentType: 'card' })).toEqual({});
  });

  it('asks for an e-mail only where the receipt needs one', () => {
    expect(check({ email: '' })).toEqual({});
    expect(check({ email: ' ' }, { asksEmail: true })).toEqual({ email: 'email-required' });
    expect(check({ email: 'anna@' }, { asksEmail: true })).toEqual({ email: 'email-unknown' });
    expect(check({ email: 'anna@example.org' }, { asksEmail: true })).toEqual({});
  });

  it('asks for every consent that is needed', () => {
    const consents = ['data', 'rules'];
    expect(check({ consents: ['data', 'news'] }, { consents })).toEqual({
      consents: 'consent-required',
    });
    expect(check({ consents: ['rules', 'data'] }, { consents })).toEqual({});
  });

  it('refuses texts that the kitchen could not read', () => {
    expect(check({ comment: 'x'.repeat(501) })).toEqual({ comment: 'too-long' });
  });
});
