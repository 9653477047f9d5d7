import { Trans, useLingui } from '@lingui/react/macro';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Redirect } from 'wouter';
import { citiesQuery } from '@/entities/city/queries';
import { useSite } from '@/entities/site/context';
import { Notice } from '@/ui/feedback/notice';
import { useDocumentTitle } from '@/ui/hooks/document-title';
import { citiesByCountry } from './cities-by-country';
import { CityLinks } from './city-links';
import { CitySuggestion } from './city-suggestion';

/**
 * The page before a city is chosen: all cities as links, for visitors and crawlers alike. A link of the page that leads
 * here opens the only city of a brand at once, as the server does.
 */
export function CityList() {
  const { t } = useLingui();
  const site = useSite();
  const { data: cities } = useSuspenseQuery(citiesQuery());
  useDocumentTitle(t({ id: 'cities.list.title', message: `${site.name}: choose a city` }));
  const [only, second] = cities.list;
  if (only && !second) return <Redirect to={`/${only.alias}`} replace />;
  return (
    <main className="mx-auto max-w-3xl px-4 py-8">
      {site.slogan && <p className="text-lead text-accent-ink">{site.slogan}</p>}
      <h1 className="title mt-1 mb-6 text-display">
        <Trans id="common.choose-city">Choose a city</Trans>
      </h1>
      {cities.message && (
        <div className="mb-6">
          <Notice>{cities.message}</Notice>
        </div>
      )}
      {/* A focused city is scrolled clear of the suggestion. */}
      <div className="[&_a]:scroll-mb-28">
        <CityLinks countries={citiesByCountry(cities)} />
      </div>
      <CitySuggestion cities={cities.list} />
    </main>
  );
}
