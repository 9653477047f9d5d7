import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ordersQuery } from './queries';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('the orders of the profile are read again every 120 seconds', async () => {
  const read = vi.fn(async () => ({ orders: [], total_count: 0, total_pages: 0 }));
  const options = { ...ordersQuery(1), queryFn: read as never };
  const stop = new QueryObserver(new QueryClient(), options).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(119_000);
  expect(read).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(2000);
  expect(read).toHaveBeenCalledTimes(2);
  stop();
});
