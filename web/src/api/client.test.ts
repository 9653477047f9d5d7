import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { server } from '@/testing/server';
import { api } from './client';

describe('a call of the contract', () => {
  it('has its values in path, query, headers and body, and leaves out what is undefined', async () => {
    let sent: Request | undefined;
    server.use(
      http.all('/api/*', ({ request }) => {
        sent = request;
        return HttpResponse.json({ ok: true });
      }),
    );
    await api.GET('/products/{product_key}', {
      params: {
        path: { product_key: 'a/b ü' },
        query: { city_id: 1, order_type: 'delivery', shop_id: undefined },
      },
    });
    expect(new URL(sent?.url ?? '').pathname).toBe('/api/products/a%2Fb%20%C3%BC');
    expect(new URL(sent?.url ?? '').search).toBe('?city_id=1&order_type=delivery');
    expect(sent?.headers.has('Content-Type')).toBe(false);
    const { data } = await api.PUT('/cart/set-interval', {
      params: { header: { 'Idempotency-Key': 'k' } },
      body: { city_id: 1, interval: '' },
    });
    expect(data).toEqual({ ok: true });
    expect(sent?.method).toBe('PUT');
    expect(sent?.headers.get('Idempotency-Key')).toBe('k');
    expect(sent?.headers.get('Content-Type')).toBe('application/json');
    expect(await sent?.json()).toEqual({ city_id: 1, interval: '' });
  });

  it('resolves to the problem of a refusal, also when a proxy answers with a page', async () => {
    const answers = [
      HttpResponse.json({ message: 'no' }, { status: 422 }),
      new Response('<p>', { status: 502 }),
    ];
    server.use(http.get('/api/cities', () => answers.shift()));
    expect(await api.GET('/cities')).toMatchObject({ error: { message: 'no' } });
    const { error, response } = await api.GET('/cities');
    expect([error, response.status]).toEqual([undefined, 502]);
  });

  it('resolves without data to an answer without a body, and rejects without an answer', async () => {
    server.use(
      http.delete('/api/order/:id/push', () => new HttpResponse(null, { status: 204 })),
      http.get('/api/cities', () => HttpResponse.error()),
    );
    const { data, response } = await api.DELETE('/order/{id}/push', {
      params: { path: { id: 7 } },
    });
    expect([data, response.status]).toEqual([undefined, 204]);
    await expect(api.GET('/cities')).rejects.toThrow();
  });
});
