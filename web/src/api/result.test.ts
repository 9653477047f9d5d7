import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { makeCity } from '@/testing/fixtures';
import { answer, refuse, server } from '@/testing/server';
import { api } from './client';
import { ApiFault, attempt, fetchData, onNotification } from './result';

const clearCart = () => attempt(api.DELETE('/cart/clear', { params: { query: { city_id: 1 } } }));

describe('attempt', () => {
  it('names the first reason of each field', async () => {
    const errors = { phone: ['Too short', 'Wrong country'], name: [] };
    server.use(refuse('delete', '/cart/clear', 422, { message: 'Check the fields', errors }));
    expect(await clearCart()).toEqual({
      kind: 'invalid',
      message: 'Check the fields',
      fields: { phone: 'Too short' },
    });
  });

  it.each([
    [401, 'unauthenticated'],
    [403, 'forbidden'],
    [404, 'notFound'],
    [409, 'conflict'],
    [429, 'tooMany'],
    [503, 'unavailable'],
    [500, 'server'],
  ])('reads %i as %s', async (status, kind) => {
    server.use(refuse('delete', '/cart/clear', status, { message: 'No', reference: 'f-1' }));
    expect(await clearCart()).toMatchObject({ kind, message: 'No' });
  });

  it('says when to come again where the server says it', async () => {
    server.use(
      http.delete('*/cart/clear', () =>
        HttpResponse.json({ message: 'Busy' }, { status: 503, headers: { 'Retry-After': '12' } }),
      ),
    );
    expect(await clearCart()).toEqual({ kind: 'unavailable', message: 'Busy', retryAfter: 12 });
  });

  it('reads a broken network as offline', async () => {
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('failed'));
    expect(await clearCart()).toEqual({ kind: 'offline' });
  });

  it('passes notifications on, of refusals too', async () => {
    const onNotified = vi.fn();
    onNotification(onNotified);
    const notification = { type: 'warning', text: 'The cart has changed' } as const;
    server.use(refuse('delete', '/cart/clear', 409, { message: 'No', notification }));
    await clearCart();
    expect(onNotified).toHaveBeenCalledExactlyOnceWith(notification);
    onNotification(() => undefined);
  });
});

describe('fetchData', () => {
  const city = () =>
    fetchData(api.GET('/cities/{alias}', { params: { path: { alias: 'berlin' } } }));

  it('returns the answer of the contract', async () => {
    server.use(answer('get', '/cities/{alias}', () => ({ city: makeCity() })));
    expect((await city()).city.name).toBe('Berlin');
  });

  it('rejects with the failure', async () => {
    server.use(refuse('get', '/cities/{alias}', 404, { message: 'No such city' }));
    const fault = await city().catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(ApiFault);
    expect((fault as ApiFault).failure).toEqual({ kind: 'notFound', message: 'No such city' });
  });
});
