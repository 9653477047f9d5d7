import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeOrder, makeStatus } from '@/testing/orders';
import { answer, server } from '@/testing/server';
import { now, open, pushChange, Stream } from './tracking-page.fixture';

beforeEach(() => {
  Stream.open = [];
  vi.stubGlobal('EventSource', Stream);
  vi.spyOn(Date, 'now').mockReturnValue(now);
});
afterEach(() => vi.unstubAllGlobals());

const status = makeStatus({ alias: 'sent', description: 'On the way.', can_cancel: false });
const sent = makeOrder({
  status,
  courier_tracking: true,
  courier: { name: 'Ivan' },
});

/** A report of a courier who moves, some seconds before the page is seen. */
const reported = (secondsAgo: number) => {
  const at = new Date(now - secondsAgo * 1000).toISOString();
  return { latitude: 52.5, longitude: 13.4, reported_at: at, still_since: at };
};

it('the map shows another courier not before their first report', async () => {
  const { latitude, longitude, ...way } = reported(60);
  server.use(
    answer('get', '/cities/{alias}/streets', () => ({ streets: [] })),
    answer('get', '/order-tracking/get-courier-location', () => ({
      coordinates: { latitude, longitude },
      ...way,
    })),
  );
  open(sent);
  await screen.findByRole('region', { name: 'Courier' });
  Stream.push('courier', reported(30));

  server.use(answer('get', '/order-tracking/get-courier-location', () => ({})));
  const changed = { ...status, changed_at: new Date(now - 10_000).toISOString() };
  pushChange({ ...sent, status: changed, courier: { name: 'Olga' } });
  await screen.findByText('Olga');
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Courier' })).toBeNull());

  Stream.push('courier', reported(0));
  await screen.findByRole('region', { name: 'Courier' });
});
