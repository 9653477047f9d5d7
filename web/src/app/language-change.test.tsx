import { within } from '@testing-library/react';
import { type ComponentProps, useEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { beginHydration, hydrated } from '@/i18n/hydration';
import { activateLanguageNow } from '@/i18n/server';
import { makeCart, makePageData, makeSite } from '@/testing/fixtures';
import { answer, server } from '@/testing/server';
import { App } from './app';
import { createQueryClient, seedQueries } from './query-client';

/** The parts that have hydrated, in order. */
const steps = vi.hoisted((): string[] => []);

vi.mock('./frame/page-frame', async (original) => {
  const { PageFrame } = await original<typeof import('./frame/page-frame')>();
  return {
    PageFrame: (props: ComponentProps<typeof PageFrame>) => {
      useEffect(() => void steps.push('frame'), []);
      return <PageFrame {...props} />;
    },
  };
});

vi.mock('./routes/home', async (original) => {
  const { default: Home } = await original<typeof import('./routes/home')>();
  return {
    default: () => {
      useEffect(() => void steps.push('page'), []);
      return <Home />;
    },
  };
});

const path = '/berlin';
const data = makePageData({ page: 'home', path, site: makeSite({ languages: ['en', 'de'] }) });

function page() {
  const client = createQueryClient();
  seedQueries(client, data, false);
  return <App data={data} client={client} path={path} />;
}

beforeEach(() => {
  history.replaceState(null, '', path);
  const { city, menu } = data;
  if (!city || !menu) throw new Error('a home page has a city and a menu');
  server.use(
    answer('get', '/cities/{alias}', () => ({ city })),
    answer('get', '/products', () => menu),
    answer('put', '/cart', () => ({ cart: makeCart() })),
  );
});

afterEach(() => {
  activateLanguageNow('en');
});

it('a language that is chosen before the page hydrates is kept, and waits until all of it has', async () => {
  const root = document.body.appendChild(document.createElement('div'));
  root.innerHTML = renderToString(page());
  const select = within(root).getAllByRole<HTMLSelectElement>('combobox', { name: 'Language' })[0];
  if (!select) throw new Error('the page has a choice of languages');
  select.value = 'de';

  const onRecoverableError = vi.fn();
  beginHydration();
  void hydrated().then(() => steps.push('languages'));
  const mounted = hydrateRoot(root, page(), { onRecoverableError });
  await within(root).findAllByRole('combobox', { name: 'Sprache' });
  expect(steps).toEqual(['frame', 'page', 'languages']);
  expect(document.documentElement.lang).toBe('de');
  expect(select.value).toBe('de');
  expect(onRecoverableError).not.toHaveBeenCalled();
  mounted.unmount();
  root.remove();
});
