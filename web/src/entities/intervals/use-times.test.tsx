import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setPlace } from '@/entities/place/place';
import { makeCart } from '@/testing/fixtures';
import { makeAddress, makeTimes } from '@/testing/orders';
import { renderInCity } from '@/testing/render';
import { answer, server } from '@/testing/server';
import { useTimes } from './use-times';

// Only what repeats: the network of the test needs the rest of the clock.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

function Times() {
  const { times } = useTimes();
  return <p>{times?.date ?? 'loading'}</p>;
}

it('the times are read again every 60 seconds', async () => {
  let reads = 0;
  const delivery_address = makeAddress();
  setPlace(1, { orderType: 'delivery', address: delivery_address });
  server.use(
    answer('put', '/cart', () => ({ cart: makeCart([], { delivery_address }) })),
    answer('post', '/schedule/intervals', () => {
      reads += 1;
      return makeTimes({ date: `2026-11-0${reads}` });
    }),
  );
  renderInCity(<Times />);
  await screen.findByText('2026-11-01');
  await act(() => vi.advanceTimersByTimeAsync(59_000));
  expect(reads).toBe(1);
  await act(() => vi.advanceTimersByTimeAsync(2000));
  await screen.findByText('2026-11-02');
});
