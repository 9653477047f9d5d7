import { act, within } from '@testing-library/react';
import { type ComponentProps, useEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import { readLastCity } from '@/entities/city/remembered-city';
import { setCookie } from '@/lib/storage';
import { makeCart, makeCity, makePageData } from '@/testing/fixtures';
import { makeShop } from '@/testing/places';
import { answer, refuse, server } from '@/testing/server';
import { App } from './app';
import type { PageData } from './page-data';
import { createQueryClient, seedQueries } from './query-client';
import { preloadRoute } from './routes';

/** Called when the frame of the page has hydrated and its content has not. */
const onFrameHydrated = vi.hoisted(() => vi.fn());

vi.mock('./frame/page-frame', async (original) => {
  const { PageFrame } = await original<typeof import('./frame/page-frame')>();
  return {
    PageFrame: (props: ComponentProps<typeof PageFrame>) => {
      useEffect(() => onFrameHydrated(), []);
      return <PageFrame {...props} />;
    },
  };
});

/** Returns the app for a document: its data, its path, and whether it is stale. */
function pageOf(data: PageData, path: string, isStale = false) {
  const client = createQueryClient();
  seedQueries(client, data, isStale);
  return <App data={data} client={client} path={path} />;
}

describe('the document of the server', () => {
  it.each([
    ['root', '/'],
    ['home', '/berlin'],
    ['public', '/berlin/promotions'],
    ['public', '/berlin/bonus'],
    ['public', '/berlin/about'],
  ] as const)('hydrates as %s without a change and without a request', async (page, path) => {
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
    const about = { alias: 'about', title: 'About us', sections: [{ text: '<p>We cook</p>' }] };
    const city = makeCity({ pages: [about] });
    // A brand of one city has no choice of a city.
    const cities = { list: [city, makeCity({ id: 2, alias: 'kazan' })], big_cities: [city] };
    const data = makePageData({ page, path, city, cities, shops: [makeShop()], content: about });
    await preloadRoute(path);
    history.replaceState(null, '', path);
    setCookie('city_alias', '', 0);
    const root = document.createElement('div');
    root.innerHTML = renderToString(pageOf(data, path));
    const html = root.innerHTML;
    expect(root.querySelector('h1')?.textContent).toBeTruthy();
    const onRecoverableError = vi.fn();
    // A request would fail the test: nothing answers it.
    const mounted = await act(() => hydrateRoot(root, pageOf(data, path), { onRecoverableError }));
    expect(onRecoverableError).not.toHaveBeenCalled();
    expect(readLastCity()).toBe(page === 'root' ? null : 'berlin');
    expect(root.innerHTML).toBe(html);
    act(() => mounted.unmount());
    vi.unstubAllGlobals();
  });

  it.each(['/berlin/delivery', '/berlin/shops'])(
    'hydrates as %s, and then loads what its device has room for',
    async (path) => {
      vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
      server.use(answer('put', '/cart', () => ({ cart: makeCart() })));
      const data = makePageData({ page: 'public', path, shops: [makeShop()] });
      await preloadRoute(path);
      history.replaceState(null, '', path);
      const root = document.body.appendChild(document.createElement('div'));
      root.innerHTML = renderToString(pageOf(data, path));
      expect(root.querySelector('h1')?.textContent).toBeTruthy();
      const onRecoverableError = vi.fn();
      const page = pageOf(data, path);
      const mounted = await act(() => hydrateRoot(root, page, { onRecoverableError }));
      expect(onRecoverableError).not.toHaveBeenCalled();
      act(() => mounted.unmount());
      root.remove();
      vi.unstubAllGlobals();
    },
  );

  it('that is stale hydrates without a change, and then shows what is stopped by now', async () => {
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
    const path = '/berlin';
    const data = makePageData({ page: 'home', path });
    const { city, menu } = data;
    if (!city || !menu) throw new Error('a home page has a city and a menu');
    const onCity = vi.fn();
    server.use(
      answer('get', '/cities/{alias}', () => {
        onCity();
        return { city };
      }),
      answer('get', '/products', () => ({ ...menu, product_groups: [] })),
    );
    await preloadRoute(path);
    history.replaceState(null, '', path);
    const root = document.body.appendChild(document.createElement('div'));
    root.innerHTML = renderToString(pageOf(data, path));
    const dish = menu.product_groups[0]?.products[0]?.name ?? '';
    expect(root.textContent).toContain(dish);
    const onRecoverableError = vi.fn();
    const mounted = await act(() =>
      hydrateRoot(root, pageOf(data, path, true), { onRecoverableError }),
    );
    expect(onRecoverableError).not.toHaveBeenCalled();
    await vi.waitFor(() => expect(root.textContent).not.toContain(dish));
    expect(onCity).toHaveBeenCalled();
    act(() => mounted.unmount());
    root.remove();
    vi.unstubAllGlobals();
  });

  it.each([
    ['/berlin/bonus', 'Main'],
    ['/berlin/order/payment/key-1', null],
  ])(
    'holds the frame of %s, which hydrates without a change before the page comes',
    async (path, bar) => {
      vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
      document.body.innerHTML = '<div id="start-notice" hidden></div>';
      server.use(
        answer('put', '/cart', () => ({ cart: makeCart() })),
        refuse('get', '/order-payment/{order_cache_key}', 404, { message: 'No order' }),
      );
      const data = makePageData({ page: 'app', path });
      await preloadRoute(path);
      history.replaceState(null, '', path);
      const root = document.body.appendChild(document.createElement('div'));
      root.innerHTML = renderToString(pageOf(data, path));
      expect(within(root).getByRole('banner')).toBeTruthy();
      expect(within(root).queryByRole('navigation', { name: 'Main' }) !== null).toBe(bar !== null);
      expect(within(root).getByRole('main', { name: 'Loading' })).toBeTruthy();
      const frame = root.querySelector('header');
      const onRecoverableError = vi.fn();
      const mounted = await act(() =>
        hydrateRoot(root, pageOf(data, path), { onRecoverableError }),
      );
      expect(onRecoverableError).not.toHaveBeenCalled();
      expect(root.querySelector('header')).toBe(frame);
      expect(within(root).queryByRole('main', { name: 'Loading' })).toBeNull();
      expect(document.getElementById('start-notice'), 'the page has started').toBeNull();
      act(() => mounted.unmount());
      root.remove();
      vi.unstubAllGlobals();
    },
  );

  it('hydrates as it was rendered, even when the visitor has navigated before all of it has', async () => {
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
    const path = '/berlin';
    const data = makePageData({ page: 'home', path });
    await preloadRoute(path);
    await preloadRoute('/berlin/bonus');
    history.replaceState(null, '', path);
    const root = document.createElement('div');
    root.innerHTML = renderToString(pageOf(data, path));
    onFrameHydrated.mockImplementationOnce(() => history.pushState(null, '', '/berlin/bonus'));
    const onRecoverableError = vi.fn();
    const mounted = await act(() => hydrateRoot(root, pageOf(data, path), { onRecoverableError }));
    expect(location.pathname).toBe('/berlin/bonus');
    expect(onRecoverableError).not.toHaveBeenCalled();
    act(() => mounted.unmount());
    vi.unstubAllGlobals();
  });
});
