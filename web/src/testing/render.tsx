import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, Suspense } from 'react';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import type { Schema } from '@/api/types';
import { ModalHost } from '@/app/modals/modal-host';
import { createQueryClient, seedQueries } from '@/app/query-client';
import { CityProvider, LoadedCity } from '@/entities/city/context';
import { EndedSession } from '@/entities/session/ended-session';
import { SiteProvider } from '@/entities/site/context';
import { Announcer } from '@/ui/feedback/announcer';
import { FlashRegion } from '@/ui/flash/flash-region';
import { MoneyProvider } from '@/ui/money';
import { makePageData } from './fixtures';

interface Given {
  /** The data that the document came with. */
  data?: Schema<'PageData'>;
}

/**
 * Renders a part of a city's page with everything around it: city, currency, language
 * (English), an empty cache seeded from the page data, modals and flash messages. Returns Testing
 * Library's result with a `user`, the `client` and the visited `places`.
 */
export function renderInCity(part: ReactNode, { data = makePageData() }: Given = {}) {
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } });
  seedQueries(client, data);
  const { hook, searchHook, history } = memoryLocation({ path: data.path ?? '/', record: true });
  const shown = (
    <>
      <Suspense>{part}</Suspense>
      <ModalHost />
    </>
  );
  const result = render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={client}>
        <SiteProvider site={data.site}>
          <Router hook={hook} searchHook={searchHook}>
            <CityProvider alias={data.city?.alias ?? ''}>
              <MoneyProvider
                currency={data.city?.prices.currency_code ?? 'EUR'}
                fractional={data.site.enable_fractional_prices}
              >
                {data.city ? <LoadedCity>{shown}</LoadedCity> : shown}
              </MoneyProvider>
            </CityProvider>
            <FlashRegion />
            <Announcer />
            <EndedSession />
          </Router>
        </SiteProvider>
      </QueryClientProvider>
    </I18nProvider>,
  );
  return { ...result, client, places: history, user: userEvent.setup() };
}
