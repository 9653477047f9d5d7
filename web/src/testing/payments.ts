import type { Schema } from '@/api/types';

/** Returns the payment of an order that waits for its first attempt, far from its deadline. */
export function makePayment(own: Partial<Schema<'OrderPayment'>> = {}): Schema<'OrderPayment'> {
  return {
    order_id: 12345678,
    order_type: 'delivery',
    order_cache_key: 'key-1',
    city_alias: 'berlin',
    status: 'waiting_for_payment',
    payment_type: { alias: 'card_online', name: 'Card online', is_online: true },
    payment_types: [],
    state: 'waiting',
    total: 25,
    currency: 'EUR',
    created_at: '2099-11-21T18:00:00Z',
    pay_until: '2099-11-21T18:10:00Z',
    phone: '4930123456',
    link: 'secret',
    ...own,
  };
}

const names: Record<Schema<'PaymentTypeAlias'>, string> = {
  cash: 'Cash',
  card: 'Card on receipt',
  card_online: 'Card online',
  sbp: 'SBP',
  sberpay: 'SberPay',
  apple_pay: 'Apple Pay',
  google_pay: 'Google Pay',
};

/** Returns the payment type of an alias with its name. */
export const makePaymentType = (alias: Schema<'PaymentTypeAlias'>): Schema<'PaymentType'> => ({
  alias,
  name: names[alias],
  is_online: alias !== 'cash' && alias !== 'card',
});

/** Returns the settings of an acquirer that takes cards on its own page. */
export function makePaymentSettings(
  own: Partial<Schema<'PaymentSettings'>> = {},
): Schema<'PaymentSettings'> {
  return {
    acquiring: 'bank',
    card_form: false,
    needs_verify_param: false,
    is_sandbox: false,
    ...own,
  };
}

/** Returns the next action of a payment attempt. */
export const makeNext = (
  reason: Schema<'PaymentNext'>['reason'],
  own: Partial<Schema<'PaymentNext'>> = {},
): Schema<'PaymentNext'> => ({ reason, order_id: 12345678, transaction_id: 'try-1', ...own });
