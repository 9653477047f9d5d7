import type { ReactNode } from 'react';
import { parse } from 'regexparam';
import { matchRoute } from 'wouter';
import { withTexts } from '@/i18n/load';
import { LazyPage, type LazyRoute, lazyRoute } from './lazy-route';
import Home from './routes/home';

interface RouteEntry {
  /** As in the address: `/:city` is the city's alias. */
  path: string;
  page: ReactNode;
  lazy?: LazyRoute;
}

/** Returns a page in a chunk of its own, loaded when it is first shown. */
const lazyPage = (path: string, lazy: LazyRoute): RouteEntry => ({
  path,
  page: <LazyPage key={lazy.name} route={lazy} />,
  lazy,
});

/** The pages of the brand's own words share a chunk. */
const words = lazyRoute('words', () => withTexts('words', () => import('./routes/words')));

/**
 * The pages of the site, the first match wins: fixed addresses stand before `/:city`. Home is in the
 * first chunk, every other page has its own.
 */
export const routes: readonly RouteEntry[] = [
  lazyPage(
    '/',
    lazyRoute('root', () => withTexts('cities', () => import('./routes/root'))),
  ),
  ...(import.meta.env.DEV
    ? [
        lazyPage(
          '/dev/kit',
          lazyRoute('dev-kit', () => import('./routes/dev-kit')),
        ),
      ]
    : []),
  lazyPage(
    '/auth/link',
    lazyRoute('sign-in-link', () => withTexts('login', () => import('./routes/sign-in-link'))),
  ),
  lazyPage(
    '/auth/vk/callback',
    lazyRoute('vk-callback', () => withTexts('login', () => import('./routes/vk-callback'))),
  ),
  lazyPage('/privacy-policy', words),
  lazyPage('/user-agreement', words),
  lazyPage(
    '/:city/bonus',
    lazyRoute('bonus', () => withTexts('bonus', () => import('./routes/bonus'))),
  ),
  lazyPage(
    '/:city/promotions',
    lazyRoute('promotions', () => withTexts('promo', () => import('./routes/promotions'))),
  ),
  lazyPage(
    '/:city/shops',
    lazyRoute('shops', () => withTexts('place', () => import('./routes/shops'))),
  ),
  lazyPage(
    '/:city/delivery',
    lazyRoute('delivery', () => withTexts('place', () => import('./routes/delivery'))),
  ),
  lazyPage(
    '/:city/cart',
    lazyRoute('cart', () => withTexts('checkout', () => import('./routes/cart'))),
  ),
  lazyPage(
    '/:city/profile',
    lazyRoute('profile', () => withTexts('profile', () => import('./routes/profile'))),
  ),
  lazyPage(
    '/:city/back-to-home',
    lazyRoute('back-to-home', () =>
      withTexts('payment-return', () => import('./routes/back-to-home')),
    ),
  ),
  lazyPage(
    '/:city/order/payment/:key',
    lazyRoute('payment', () => withTexts('payment', () => import('./routes/payment'))),
  ),
  lazyPage(
    '/:city/order/:orderId/tracking',
    lazyRoute('tracking', () => withTexts('tracking', () => import('./routes/tracking'))),
  ),
  lazyPage('/:city/:alias', words),
  { path: '/:city', page: <Home /> },
];

/** Returns the route of an address and the alias of its city; no route when there is no such page. */
export function findRoute(pathname: string): { route?: RouteEntry; city?: string } {
  for (const route of routes) {
    const [matches, params] = matchRoute(parse, route.path, pathname);
    if (matches) return { route, city: (params as { city?: string }).city };
  }
  return {};
}

/** Loads the page that an address leads to; pages of the first chunk are loaded already. */
export async function preloadRoute(pathname: string): Promise<void> {
  await findRoute(pathname).route?.lazy?.preload();
}
