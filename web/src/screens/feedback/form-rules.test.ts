import { describe, expect, it } from 'vitest';
import { firstProblems } from '@/lib/forms';
import { bodyOf, type FormKind, type FormProblem, type FormValues, rulesOf } from './form-rules';

const mask = '+49 ### ########';

const whole: FormValues = {
  name: ' Ada ',
  phone: '+49 301 2345678',
  maskId: 1,
  email: ' ada@example.org ',
  city_name: ' Berlin ',
  company: 'Fish & Co',
  product_category: 'Fish',
  shop: 'Mall',
  square: '120,5',
  order_id: '42',
  wish: 'exchange',
  message: ' Cold ',
  is_agreed: true,
};

const problemsOf = (kind: FormKind, own: Partial<FormValues>) =>
  firstProblems<FormValues, FormProblem>(rulesOf(kind, mask), { ...whole, ...own });

const nothing: Partial<FormValues> = {
  name: ' ',
  phone: '',
  email: '',
  city_name: '',
  company: '',
  product_category: '',
  shop: '',
  square: '',
  order_id: '',
  message: ' ',
  is_agreed: false,
};

describe('the rules of a form', () => {
  const contact = { name: 'name-empty', phone: 'phone-required', is_agreed: 'not-agreed' };

  it.each<[FormKind, object]>([
    ['call-me-back', {}],
    ['feedback', { email: 'empty', message: 'empty' }],
    ['supplier', { city_name: 'empty', company: 'empty', product_category: 'empty' }],
    ['landlord', { city_name: 'empty', shop: 'empty', square: 'empty' }],
    ['return-request', { order_id: 'empty', message: 'empty' }],
  ])('of %s ask for contact and consent, and for the fields of the kind only', (kind, own) => {
    expect(problemsOf(kind, nothing)).toEqual({ ...contact, ...own });
    expect(problemsOf(kind, {})).toEqual({});
  });

  it('take an e-mail that need not be there only when it is one', () => {
    expect(problemsOf('supplier', { email: '' })).toEqual({});
    expect(problemsOf('supplier', { email: 'ada@example' })).toEqual({ email: 'email-wrong' });
  });

  it.each(['0', '-5', 'large', '100001', '1e9'])('refuse %s as an area', (square) => {
    expect(problemsOf('landlord', { square })).toEqual({ square: 'area-wrong' });
  });

  it.each(['0', '12a', '1234567890123'])('refuse %s as the number of an order', (number) => {
    expect(problemsOf('return-request', { order_id: number })).toEqual({ order_id: 'order-wrong' });
  });
});

describe('what is sent', () => {
  const contact = { city_id: 7, name: 'Ada', phone: '493012345678', is_agreed: true };
  const email = 'ada@example.org';

  it('has the fields of the kind, without spaces around them', () => {
    expect(bodyOf['call-me-back'](whole, mask, 7)).toEqual(contact);
    expect(bodyOf.feedback(whole, mask, 7)).toEqual({ ...contact, email, message: 'Cold' });
    expect(bodyOf.supplier(whole, mask, 7)).toEqual({
      ...contact,
      email,
      city_name: 'Berlin',
      company: 'Fish & Co',
      product_category: 'Fish',
    });
    expect(bodyOf.landlord(whole, mask, 7)).toEqual({
      ...contact,
      email,
      city_name: 'Berlin',
      shop: 'Mall',
      square: 120.5,
    });
    expect(bodyOf['return-request'](whole, mask, 7)).toEqual({
      ...contact,
      email,
      order_id: 42,
      wish: 'exchange',
      message: 'Cold',
    });
  });

  it('has no e-mail where none was given', () => {
    expect(bodyOf.landlord({ ...whole, email: ' ' }, mask, 7)).not.toHaveProperty('email');
  });
});
