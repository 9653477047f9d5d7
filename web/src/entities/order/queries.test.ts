import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { courierPoll, orderPoll } from './queries';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each([
  ['state', orderPoll],
  ['courier', courierPoll],
] as const)('the %s of an order is polled every 30 seconds', async (_, poll) => {
  const read = vi.fn(async () => null);
  const options = { ...poll(1, true), queryFn: read } as never;
  const stop = new QueryObserver(new QueryClient(), options).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(29_000);
  expect(read).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(2000);
  expect(read).toHaveBeenCalledTimes(2);
  stop();
});
