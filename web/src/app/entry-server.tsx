import './server-polyfills';
import type { ComponentType } from 'react';
import { renderToString } from 'react-dom/server';
import { activateLanguageNow } from '@/i18n/server';
import { toLanguage } from '@/lib/language';
import { App } from './app';
import type { PageData } from './page-data';
import { createQueryClient, seedQueries } from './query-client';
import { routes } from './routes';

const pages = import.meta.glob<{ default: ComponentType }>(
  ['./routes/*.tsx', '!./routes/dev-*.tsx'],
  { eager: true },
);

for (const { lazy } of routes) {
  const page = lazy && pages[`./routes/${lazy.name}.tsx`];
  if (page) lazy.provide(page.default);
}

/** Returns the HTML of the document's root. `json` must be the text of the document's `page-data`. */
function renderPage(json: string): string {
  const data = JSON.parse(json) as PageData;
  activateLanguageNow(toLanguage(data.lang));
  const client = createQueryClient();
  seedQueries(client, data);
  try {
    return renderToString(<App data={data} client={client} path={data.path ?? '/'} />);
  } finally {
    client.clear();
  }
}

(globalThis as { renderPage?: typeof renderPage }).renderPage = renderPage;
