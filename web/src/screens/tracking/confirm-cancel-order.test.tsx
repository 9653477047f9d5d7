import { act, screen, within } from '@testing-library/react';
import { delay, HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Schema } from '@/api/types';
import { makeOrder, makeStatus } from '@/testing/orders';
import { answer, server } from '@/testing/server';
import { now, open, Stream } from './tracking-page.fixture';

beforeEach(() => {
  Stream.open = [];
  vi.stubGlobal('EventSource', Stream);
  vi.spyOn(Date, 'now').mockReturnValue(now);
});
afterEach(() => vi.unstubAllGlobals());

/** Opens the page of an order, asks to cancel it, and returns the question and the user. */
async function openQuestion(order: Schema<'Order'>) {
  const { user } = open(order);
  await user.click(await screen.findByRole('button', { name: 'Cancel the order' }));
  const question = await screen.findByRole('dialog', {}, { timeout: 4000 });
  return { question: within(question), user };
}

const payment: Schema<'OrderPaymentBrief'> = {
  state: 'paid',
  order_cache_key: 'key-1',
  pay_until: '2026-11-21T18:30:00Z',
};

describe('the question before an order is canceled', () => {
  it.each([
    ['accepted', payment, 'We have not begun to cook it yet. What you paid goes back to you.'],
    ['accepted', undefined, 'We have not begun to cook it yet. You pay nothing.'],
    ['cooking', payment, 'It will be later than agreed. What you paid goes back to you.'],
    ['cooking', undefined, 'It will be later than agreed. You pay nothing.'],
  ] as const)(
    'of an order that is %s says why it can be, and what becomes of the money',
    async (alias, paid, said) => {
      const status = makeStatus({ alias, can_cancel: true });
      const { question } = await openQuestion(makeOrder({ status, payment: paid }));
      await question.findByText(said);
    },
  );

  it('is not undone by an answer of before that comes late', async () => {
    const status = makeStatus({ alias: 'canceled', description: 'Canceled.', final: true });
    const order = makeOrder();
    server.use(answer('post', '/order/cancel', () => ({ order: { ...order, status } })));
    const { user } = open(order);
    const button = await screen.findByRole('button', { name: 'Cancel the order' });
    let isAnswered = false;
    server.use(
      http.get('*/order/:id', async () => {
        await delay(1500);
        isAnswered = true;
        return HttpResponse.json({ order });
      }),
    );
    await user.click(button);
    const question = within(await screen.findByRole('dialog', {}, { timeout: 4000 }));
    await user.click(question.getByRole('button', { name: 'Cancel the order' }));
    await screen.findByRole('heading', { name: 'Canceled.' });
    await act(() => vi.waitFor(() => expect(isAnswered).toBe(true), { timeout: 4000 }));
    await act(() => delay(50));
    screen.getByRole('heading', { name: 'Canceled.' });
  });
});
