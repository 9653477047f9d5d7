import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { renderInCity } from '@/testing/render';
import { server } from '@/testing/server';
import { connection } from './connection';
import OfflineCompanion from './offline-companion';

const city = { id: 1, alias: 'berlin', phone: '+49 30 123', timezone: 1 };

const cutOff = { name: 'No connection' };

let isReachable = false;

beforeEach(() => {
  isReachable = false;
  connection.set({ isOffline: false });
  server.use(
    http.head('*/robots.txt', () => (isReachable ? new HttpResponse() : HttpResponse.error())),
  );
});

afterEach(() => document.getElementById('page-data')?.remove());

it('a page without a connection says so and names the phone, until the connection is back', async () => {
  renderInCity(<OfflineCompanion city={city} />);
  expect(screen.queryByRole('region', cutOff)).toBeNull();
  act(() => void dispatchEvent(new Event('offline')));
  await screen.findByRole('region', cutOff);
  expect(screen.getByRole('link', { name: city.phone }).getAttribute('href')).toBe('tel:+4930123');
  isReachable = true;
  act(() => void dispatchEvent(new Event('online')));
  await waitFor(() => expect(screen.queryByRole('region', cutOff)).toBeNull());
});

it('a document from the store says when it was stored, and still does after a failed attempt', async () => {
  const data = document.createElement('script');
  data.id = 'page-data';
  data.dataset.storedAt = String(Date.UTC(2020, 0, 5, 9, 30));
  document.body.append(data);
  const { user } = renderInCity(<OfflineCompanion city={city} />);
  expect((await screen.findByRole('region', cutOff)).textContent).toMatch(/from .*5.*10:30/);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(screen.getByRole('region', cutOff)).toBeTruthy();
  isReachable = true;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByRole('region', cutOff)).toBeNull());
});
