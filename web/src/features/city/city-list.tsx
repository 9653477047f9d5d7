import { Trans, useLingui } from '@lingui/react/macro';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useDocumentTitle } from '@/ui/document-title';
import { ButtonLink } from '@/ui/link';
import { useSite } from './context';
import { citiesQuery } from './queries';

/** The page before a city is chosen: all cities as links, for visitors and crawlers alike. */
export function CityList() {
  const { t } = useLingui();
  const site = useSite();
  const { data: cities } = useSuspenseQuery(citiesQuery());
  useDocumentTitle(t`${site.name}: choose a city`);
  return (
    <main className="mx-auto max-w-3xl px-4 py-10">
      <p className="title text-lead text-accent-ink">{site.name}</p>
      <h1 className="title mt-2 text-display">
        <Trans>Choose a city</Trans>
      </h1>
      <ul className="mt-6 grid grid-cols-1 gap-3 min-[30rem]:grid-cols-2">
        {cities.list.map((city) => (
          <li key={city.id}>
            <ButtonLink href={`/${city.alias}`} look="secondary" size="large" wide>
              {city.name}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </main>
  );
}
