import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { keys, removePersonal } from './keys';

const place = { city_id: 1, order_type: 'delivery' } as const;

const shared = [
  keys.cities(),
  keys.city('berlin'),
  keys.streets('berlin'),
  keys.shops(1),
  keys.menu(place),
  keys.related(place, [1]),
  keys.suggestions(1, 'Unter'),
  keys.addressCheck(1, null),
  keys.paymentTypes(place),
  keys.session(),
];

const personal = [
  keys.cart(1),
  keys.intervals.of({ place }),
  keys.addresses(),
  keys.order(1),
  keys.courier(1),
  keys.orderPayment('key'),
  keys.profile(),
  keys.orders.page(1),
  keys.balance(),
  keys.devices(),
];

it('signing out removes what belongs to the visitor and nothing else', () => {
  const client = new QueryClient();
  for (const key of [...shared, ...personal]) client.setQueryData(key, {});
  removePersonal(client);
  const left = client.getQueryCache().getAll();
  expect(left.map(({ queryKey }) => queryKey)).toEqual(shared);
});

it('every resource has a key of its own', () => {
  const written = [...shared, ...personal].map((key) => JSON.stringify(key));
  expect(new Set(written).size).toBe(written.length);
});
