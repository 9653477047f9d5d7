import type { ComponentType } from 'react';
import { matchRoute } from 'wouter';
import { parse } from 'regexparam';
import { type LazyRoute, lazyRoute } from './lazy-route';
import Home from './routes/home';

interface RouteEntry {
  /** As in the address: `/:city` is the city's alias. */
  path: string;
  Component: ComponentType;
  lazy?: LazyRoute;
}

const own = (path: string, lazy: LazyRoute): RouteEntry => ({
  path,
  Component: lazy.Component,
  lazy,
});

/**
 * The pages of the site, the first match wins: fixed addresses stand before `/:city`. Home is in the
 * first chunk, every other page has its own.
 */
export const routes: readonly RouteEntry[] = [
  own('/', lazyRoute('root', () => import('./routes/root'))),
  ...(import.meta.env.DEV ? [own('/dev/kit', lazyRoute('dev-kit', () => import('./routes/dev-kit')))] : []),
  { path: '/:city', Component: Home },
];

/** Loads the page that an address leads to; at once for pages of the first chunk. */
export async function preloadRoute(pathname: string): Promise<void> {
  const route = routes.find(({ path }) => matchRoute(parse, path, pathname)[0]);
  await route?.lazy?.preload();
}
