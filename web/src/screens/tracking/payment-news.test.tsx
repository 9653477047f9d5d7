import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { makePageData } from '@/testing/fixtures';
import { makeOrder, makeStatus } from '@/testing/orders';
import { renderInCity } from '@/testing/render';
import { PaymentNews } from './payment-news';

it('leads to the payment only the customer who placed the order', async () => {
  const order = makeOrder({
    status: makeStatus({ alias: 'waiting_for_payment' }),
    payment: { state: 'waiting', pay_until: '2026-11-21T18:42:00Z' },
  });
  renderInCity(<PaymentNews order={order} />, { data: makePageData() });
  await screen.findByText('Waiting for payment until 19:42');
  screen.getByText('It can only be paid in the browser it was ordered in.');
  expect(screen.queryByRole('link')).toBeNull();
});
