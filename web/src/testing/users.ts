import type { Schema } from '@/api/types';
import { makeStatus } from './orders';

/** Returns a customer who has entered a name and agreed to nothing. */
export function makeUser(own: Partial<Schema<'User'>> = {}): Schema<'User'> {
  return {
    id: 5,
    phone: '4930123456',
    name: 'Anna',
    is_subscribed: false,
    is_print_fiscal_receipt: true,
    is_bonus_programme: false,
    consents: [
      { kind: 'news', text: 'Send me news and offers.', version: '2', is_given: false },
      {
        kind: 'paperless_receipts',
        text: 'Send receipts by e-mail only.',
        version: '1',
        is_given: false,
      },
    ],
    ...own,
  };
}

/** Returns an order of the list: a delivery just accepted. */
export function makeOrderBrief(own: Partial<Schema<'OrderBrief'>> = {}): Schema<'OrderBrief'> {
  return {
    order_id: 12345678,
    order_type: 'delivery',
    status: makeStatus(),
    city_id: 1,
    city_alias: 'berlin',
    city_name: 'Berlin',
    currency: 'EUR',
    created_at: '2026-11-21T18:00:00Z',
    date_string: '2026-11-21',
    promised_from: '2026-11-21T18:30:00Z',
    promised_to: '2026-11-21T18:40:00Z',
    asap: true,
    address: 'Torstraße 12',
    total: 25,
    count: 2,
    ...own,
  };
}

/** Returns the customer's session in the browser of the test. */
export function makeUserSession(own: Partial<Schema<'UserSession'>> = {}): Schema<'UserSession'> {
  return {
    id: 1,
    is_current: true,
    device: 'Chrome, Android',
    signed_in_at: '2026-11-01T10:00:00Z',
    seen_at: '2026-11-21T18:00:00Z',
    ...own,
  };
}
