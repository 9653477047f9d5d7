import '@/styles/main.css';
import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { activateLanguage } from '@/i18n/load';
import { toLanguage } from '@/lib/language';
import { App } from './app';
import { readPageData } from './page-data';
import { createQueryClient, seedQueries } from './query-client';
import { preloadRoute } from './routes';

async function start() {
  const data = readPageData(document);
  const client = createQueryClient();
  seedQueries(client, data);
  await Promise.all([activateLanguage(toLanguage(data.lang)), preloadRoute(location.pathname)]);
  const root = document.getElementById('root');
  if (!root) throw new Error('the document has no root');
  const page = (
    <StrictMode>
      <App data={data} client={client} path={location.pathname} />
    </StrictMode>
  );
  // The server leaves the root empty where it rendered nothing.
  if (root.firstElementChild) hydrateRoot(root, page);
  else createRoot(root).render(page);
}

void start();
