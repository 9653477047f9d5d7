import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { Route, Router, useLocation } from 'wouter';
import { onNotification } from '@/api/result';
import { CityProvider, LoadedCity, useCity } from '@/entities/city/context';
import { useRememberedCity } from '@/entities/city/remembered-city';
import { EndedSession } from '@/entities/session/ended-session';
import { SiteProvider, useSite } from '@/entities/site/context';
import { finishHydration } from '@/i18n/hydration';
import { Announcer } from '@/ui/feedback/announcer';
import { FlashRegion } from '@/ui/flash/flash-region';
import { flash } from '@/ui/flash/flash-store';
import { useHydrated } from '@/ui/hooks/use-hydrated';
import { MoneyProvider } from '@/ui/money';
import { LateAnalytics, LateCompanions } from './companions/late-companions';
import { PageFrame } from './frame/page-frame';
import { ModalHost } from './modals/modal-host';
import { navigateFromModal } from './modals/modal-navigation';
import { NotFoundPage } from './not-found-page';
import { PageBoundary } from './page-boundary';
import type { PageData } from './page-data';
import { PageSkeleton } from './page-skeleton';
import { findRoute } from './routes';
import { removeStartNotice } from './start/start-notice';

interface AppProps {
  data: PageData;
  client: QueryClient;
  /**
   * The address that the document was made for. A part that hydrates late hydrates with it, even when
   * the visitor has navigated since.
   */
  path: string;
}

/** The whole page: the same tree on the server and in the browser. */
export function App({ data, client, path }: AppProps) {
  return (
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={client}>
        <SiteProvider site={data.site}>
          {/* The document is rendered without a query; the ? keeps the router from reading the query of the address. */}
          <Router ssrPath={`${path}?`} aroundNav={navigateFromModal}>
            <PageBoundary>
              <Suspense fallback={<PageSkeleton />}>
                <CurrentPage page={data.page} />
              </Suspense>
            </PageBoundary>
            <Companions client={client} />
          </Router>
        </SiteProvider>
      </QueryClientProvider>
    </I18nProvider>
  );
}

/**
 * The page of the address and the modals over it, both with the city of the address. `page` is how the server has
 * rendered the document: `not_found` when the address leads nowhere, `app` when the document has only the frame,
 * because the content belongs to one visitor. `not_found` holds until the visitor navigates.
 */
function CurrentPage({ page }: { page: PageData['page'] }) {
  const [location] = useLocation();
  const [documentPath] = useState(location);
  const isMissing = page === 'not_found' && location === documentPath;
  const { route, city } = isMissing ? {} : findRoute(location);
  const shown = (
    <>
      <PageFrame
        inCity={city !== undefined}
        notices={<LateCompanions inCity={city !== undefined} />}
      >
        <PageBoundary>
          <Suspense fallback={<PageSkeleton />}>
            <PageContent page={page} route={route} />
          </Suspense>
        </PageBoundary>
      </PageFrame>
      <ModalHost />
    </>
  );
  if (city === undefined) return shown;
  return (
    <CityProvider alias={city}>
      <LoadedCity>
        <CityFrame>{shown}</CityFrame>
      </LoadedCity>
    </CityProvider>
  );
}

interface PageContentProps {
  page: PageData['page'];
  route: ReturnType<typeof findRoute>['route'];
}

/**
 * The content of the route, a skeleton for a document with the frame only, or the not-found page. It hydrates
 * last.
 */
function PageContent({ page, route }: PageContentProps) {
  // Read here and not above: what changes around a part that has not hydrated makes React hydrate it in one piece.
  const isFrameOnly = !useHydrated() && page === 'app';
  useEffect(finishHydration, []);
  if (isFrameOnly) return <PageSkeleton />;
  return route ? <Route path={route.path}>{route.page}</Route> : <NotFoundPage />;
}

/** Sets the currency of the city for its children, and stores the city for the next visit. */
function CityFrame({ children }: { children: ReactNode }) {
  const site = useSite();
  const city = useCity();
  useRememberedCity(city.alias);
  return (
    <MoneyProvider currency={city.prices.currency_code} fractional={site.enable_fractional_prices}>
      {children}
    </MoneyProvider>
  );
}

/**
 * The parts that stay mounted on every page: messages, the notice of an ended session, analytics. When they
 * mount, they remove the start notice. They also show notifications, and load all data again
 * in a new language.
 */
function Companions({ client }: { client: QueryClient }) {
  useEffect(() => {
    removeStartNotice();
    onNotification(({ type, text }) => flash(text, { tone: type }));
    // The server's texts are in the language of the request, so they are loaded again.
    let language = i18n.locale;
    return i18n.on('change', () => {
      if (i18n.locale === language) return;
      language = i18n.locale;
      void client.invalidateQueries();
    });
  }, [client]);
  return (
    <>
      <FlashRegion />
      <Announcer />
      <EndedSession />
      <LateAnalytics />
    </>
  );
}
