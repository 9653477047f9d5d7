import { QueryObserver } from '@tanstack/react-query';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createQueryClient } from '../query-client';
import { refreshOnReturn } from './refresh-on-return';

const minute = 60_000;

it.each([
  ['is loaded again for a visitor who comes back to the page after a long time', 11, 2],
  ['is not loaded again for one who was away for a moment', 9, 1],
])('what is shown %s', async (_, minutes, loads) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const client = createQueryClient();
  const queryFn = vi.fn(async () => 'menu');
  const observer = new QueryObserver(client, { queryKey: ['menu'], queryFn });
  const stops = [observer.subscribe(() => undefined), refreshOnReturn(client)];
  onTestFinished(() => {
    for (const stop of stops) stop();
    vi.useRealTimers();
  });
  await vi.waitFor(() => expect(client.getQueryData(['menu'])).toBe('menu'));
  const isHidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  const change = () => document.dispatchEvent(new Event('visibilitychange'));
  change();
  vi.setSystemTime(Date.now() + minutes * minute);
  change();
  expect(queryFn).toHaveBeenCalledTimes(1);
  isHidden.mockReturnValue(false);
  change();
  expect(queryFn).toHaveBeenCalledTimes(loads);
});
