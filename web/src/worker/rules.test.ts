import { describe, expect, it } from 'vitest';
import { documentKey, handlingOf, markStored, readMessage, staleStores } from './rules';

const readFile = (pathname: string) => handlingOf({ method: 'GET', pathname, isNavigation: false });
const openDocument = (pathname: string) =>
  handlingOf({ method: 'GET', pathname, isNavigation: true });

describe('what the worker handles', () => {
  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'HEAD'])(
    'is nothing that is sent with %s',
    (method) => {
      for (const pathname of ['/api/cart', '/api/cities', '/api/order/create', '/moscow'])
        for (const isNavigation of [true, false])
          expect(handlingOf({ method, pathname, isNavigation })).toBeUndefined();
    },
  );

  it('are files of the build and of the look, reads that are the same for all, and an order', () => {
    for (const path of [
      '/assets/entry-1.js',
      `/media/${'0a'.repeat(16)}.css`,
      `/media/${'0a'.repeat(16)}.woff2`,
    ])
      expect(readFile(path)).toBe('asset');
    for (const path of [
      'cities',
      'cities/moscow',
      'cities/moscow/streets',
      'shops',
      'products',
      'pages/about',
    ])
      expect(readFile(`/api/${path}`)).toBe('shared');
    expect(readFile('/api/order/42')).toBe('personal');
  });

  it.each([
    '/api/user/get',
    '/api/user/check-session',
    '/api/user/orders',
    '/api/order/42/events',
    '/api/order/payment-settings',
    '/api/order-payment/key',
    '/api/citiesx',
    '/robots.txt',
    '/sitemap/moscow.xml',
    '/media/1.jpg',
    '/dev/mailbox.json',
    '/console/orders',
  ])('is not a read of %s', (pathname) => {
    expect(readFile(pathname)).toBeUndefined();
  });

  it('are documents of pages', () => {
    for (const path of ['/', '/moscow', '/moscow/', '/moscow/cart', '/moscow/order/42/tracking'])
      expect(openDocument(path)).toBe('document');
  });

  it.each([
    '/console',
    '/console/orders',
    '/dev',
    '/dev/mailbox',
    '/auth/link',
    '/auth/vk/callback',
    '/staff/invitation',
    '/api/callback/sandbox',
    '/media/1.jpg',
    '/licences.txt',
    '/sitemap/moscow.xml',
    '/moscow/order/payment/key',
    '/moscow/back-to-home',
  ])('is not the document %s', (pathname) => {
    expect(openDocument(pathname)).toBeUndefined();
  });
});

it('documents of orders share the frame that is empty', () => {
  expect(documentKey('/moscow/order/42/tracking')).toBe('/moscow/order/-/tracking');
  expect(documentKey('/moscow/order/last/tracking')).toBe('/moscow/order/-/tracking');
  expect(documentKey('/moscow/')).toBe('/moscow');
  expect(documentKey('/')).toBe('/');
});

it('a stored document is marked once, with its time', () => {
  const tag = '<script type="application/json" id="page-data" data-stale data-stored-at="5">';
  for (const stale of ['', ' data-stale'])
    expect(
      markStored(`<body><script type="application/json" id="page-data"${stale}>{}</script>`, 5),
    ).toBe(`<body>${tag}{}</script>`);
});

it('stores of the release before stay, older ones go', () => {
  const names = [
    'shared',
    'assets-a',
    'documents-a',
    'assets-b',
    'personal',
    'documents-b',
    'assets-c',
  ];
  expect(staleStores(names, 'c')).toEqual(['assets-a', 'documents-a']);
  expect(staleStores(names.slice(0, 4), 'b')).toEqual([]);
  expect(staleStores([], 'a')).toEqual([]);
});

describe('a message about an order', () => {
  const message = {
    title: 'Sushi',
    body: 'On the way',
    tag: 'order-7',
    path: '/moscow/order/7/tracking',
    lang: 'en',
  };

  it('is read as the server sends it', () => {
    expect(readMessage(JSON.stringify(message))).toEqual(message);
  });

  it.each([
    ['no text', undefined],
    ['no JSON', 'hello'],
    ['no title', JSON.stringify({ ...message, title: undefined })],
    ['a path of another site', JSON.stringify({ ...message, path: '//example.com' })],
    ['an address', JSON.stringify({ ...message, path: 'https://example.com' })],
  ])('is left out with %s', (_, text) => {
    expect(readMessage(text)).toBeUndefined();
  });
});
