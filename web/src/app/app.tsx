import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect } from 'react';
import { Route, Router, Switch, useParams } from 'wouter';
import { onNotification } from '@/api/result';
import { CityProvider, SiteProvider, useCity, useSite } from '@/features/city/context';
import { Announcer } from '@/ui/announcer';
import { flash } from '@/ui/flash/flash-store';
import { FlashRegion } from '@/ui/flash/flash-region';
import { MoneyProvider } from '@/ui/money';
import { ErrorBoundary } from './error-boundary';
import { ModalHost } from './modals/modal-host';
import { navigateFromModal } from './modals/modal-navigation';
import { NotFoundPage } from './not-found-page';
import type { PageData } from './page-data';
import { PageSkeleton } from './page-skeleton';
import { routes } from './routes';

interface AppProps {
  data: PageData;
  client: QueryClient;
  /** The address that is rendered, on the server only. */
  serverPath?: string;
}

/** The whole page: the same tree on the server and in the browser. */
export function App({ data, client, serverPath }: AppProps) {
  return (
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={client}>
        <SiteProvider site={data.site}>
          <Router ssrPath={serverPath} aroundNav={navigateFromModal}>
            <ErrorBoundary>
              {data.page === 'not_found' ? <NotFoundPage /> : <Pages />}
            </ErrorBoundary>
            <Companions client={client} />
          </Router>
        </SiteProvider>
      </QueryClientProvider>
    </I18nProvider>
  );
}

function Pages() {
  return (
    <Suspense fallback={<PageSkeleton />}>
      <Switch>
        {routes.map(({ path, Component }) => (
          <Route key={path} path={path}>
            <InCity>
              <Component />
            </InCity>
          </Route>
        ))}
        <Route>
          <NotFoundPage />
        </Route>
      </Switch>
    </Suspense>
  );
}

/** Gives the city of the address to the page; pages without one pass through. */
function InCity({ children }: { children: ReactNode }) {
  const { city } = useParams<{ city?: string }>();
  if (!city) return children;
  return (
    <CityProvider alias={city}>
      <CityMoney>{children}</CityMoney>
    </CityProvider>
  );
}

function CityMoney({ children }: { children: ReactNode }) {
  const site = useSite();
  const city = useCity();
  return (
    <MoneyProvider currency={city.prices.currency_code} fractional={site.enable_fractional_prices}>
      {children}
    </MoneyProvider>
  );
}

/** What stands beside every page: messages, modals and what listens for the page's life. */
function Companions({ client }: { client: QueryClient }) {
  useEffect(() => {
    onNotification(({ type, text }) => flash(text, { tone: type }));
    // Texts of the server are in the language they were asked in.
    return i18n.on('change', () => void client.invalidateQueries());
  }, [client]);
  return (
    <>
      <FlashRegion />
      <Announcer />
      <ErrorBoundary>
        <ModalHost />
      </ErrorBoundary>
    </>
  );
}
