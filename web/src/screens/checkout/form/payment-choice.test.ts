import { expect, it } from 'vitest';
import type { Schema } from '@/api/types';
import { firstChoice, payableHere, writePaymentType } from './payment-choice';

const typeOf = (alias: Schema<'PaymentTypeAlias'>): Schema<'PaymentType'> => ({
  alias,
  name: alias,
  is_online: alias !== 'cash',
});
const types = [typeOf('cash'), typeOf('card_online'), typeOf('apple_pay')];

it('the first payment type is chosen where none was used before', () => {
  expect(firstChoice(types)?.alias).toBe('cash');
  expect(firstChoice([])).toBeUndefined();
});

it('the payment type of the last order is chosen while it is offered', () => {
  writePaymentType('card_online');
  expect(firstChoice(types)?.alias).toBe('card_online');
  expect(firstChoice([typeOf('cash')])?.alias).toBe('cash');
});

it('Apple Pay is offered in a browser that has it', () => {
  expect(payableHere(types, {}).map(({ alias }) => alias)).toEqual(['cash', 'card_online']);
  expect(payableHere(types, { ApplePaySession: {} })).toEqual(types);
});
