import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { keys } from '@/api/keys';
import { makeNext, makePayment } from '@/testing/payments';
import { answer, server } from '@/testing/server';
import { openPayment } from '../payment-page.fixture';

const next = makeNext('3ds', {
  MD: 'md',
  PaReq: 'pareq',
  TermUrl: 'https://shop.example/api/order/3ds/try-1',
  AcsUrl: 'https://acs.example/',
  is_framed: true,
});
const pending = { state: 'pending' as const, next };

beforeEach(() => {
  vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(() => undefined);
});

it('keeps the result of 3-D Secure over an answer of before that comes late', async () => {
  const { user, client } = openPayment({ payment: pending });
  server.use(
    answer('post', '/order/post3ds', () => ({
      payment: makePayment({ state: 'paid', status: 'accepted' }),
    })),
  );
  await user.click(await screen.findByRole('button', { name: 'Confirm at your bank' }));
  await screen.findByTitle('Your bank');
  const asked = vi.fn();
  let answerLate = () => {};
  const late = new Promise<void>((resolve) => {
    answerLate = resolve;
  });
  server.use(
    answer('get', '/order-payment/{order_cache_key}', async () => {
      asked();
      await late;
      return { payment: makePayment(pending) };
    }),
  );
  act(() => void client.invalidateQueries({ queryKey: keys.orderPayment('key-1') }));
  await waitFor(() => expect(asked).toHaveBeenCalled());
  const data = { type: 'servery-3ds', transaction_id: 'try-1' };
  act(() => void dispatchEvent(new MessageEvent('message', { origin: location.origin, data })));
  await screen.findByRole('heading', { name: /We have accepted your order/ });
  answerLate();
  await act(() => new Promise((done) => setTimeout(done, 100)));
  screen.getByRole('heading', { name: /We have accepted your order/ });
});
