import '@/styles/main.css';
import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { keepAskedLanguage } from '@/i18n/asked-language';
import { beginHydration, finishHydration, hydrated } from '@/i18n/hydration';
import { activateLanguage } from '@/i18n/load';
import { toLanguage } from '@/lib/language';
import { watchChunks } from '@/ui/feedback/chunk-failures';
import { App } from './app';
import { reportCaught, watchErrors } from './errors/watch-errors';
import { isStale, readPageData } from './page-data';
import { createQueryClient, seedQueries } from './query-client';
import { preloadRoute } from './routes';
import { reloadLostStart, showStartNotice, takeEarlyPress } from './start/start-notice';

/**
 * Starts the page: loads its language and the chunk of its route, then hydrates the document, or renders it when
 * the root is empty. When a chunk is lost, it reloads the document, or rejects.
 */
async function start() {
  const data = readPageData(document);
  keepAskedLanguage(toLanguage(data.lang));
  if (data.reports_errors) watchErrors();
  const client = createQueryClient();
  seedQueries(client, data, isStale(document));
  try {
    await Promise.all([activateLanguage(toLanguage(data.lang)), preloadRoute(location.pathname)]);
  } catch (error) {
    if (reloadLostStart()) return;
    throw error;
  }
  watchChunks();
  const root = document.getElementById('root');
  if (!root) throw new Error('the document has no root');
  const page = (
    <StrictMode>
      <App data={data} client={client} path={location.pathname} />
    </StrictMode>
  );
  const pressAgain = takeEarlyPress();
  // The root is empty on the development server, and when the page was not rendered in time.
  if (root.firstElementChild) {
    beginHydration();
    // As a transition React hydrates in slices, between which the page answers a finger.
    startTransition(() => {
      hydrateRoot(root, page, { onCaughtError });
    });
  } else {
    createRoot(root, { onCaughtError }).render(page);
  }
  void hydrated().then(pressAgain);
}

/** Reports an error that the page shows, and ends hydration: the part that failed will not hydrate. */
const onCaughtError: typeof reportCaught = (...caught) => {
  finishHydration();
  reportCaught(...caught);
};

start().catch((error) => {
  showStartNotice();
  throw error;
});
