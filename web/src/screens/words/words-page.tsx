import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { ApiFault } from '@/api/result';
import { useCity, useCityAlias } from '@/entities/city/context';
import { usePageTitle } from '@/entities/site/page-title';
import { wordsQuery } from '@/entities/words/queries';
import { WordSections } from '@/entities/words/word-sections';
import { Button } from '@/ui/button';
import { EmptyState } from '@/ui/feedback/empty-state';
import { Skeleton } from '@/ui/feedback/skeleton';
import { Companies } from './companies';
import { FormOfPage } from './form-of-page';

interface WordsPageProps {
  /** Shown when the brand has no such page. */
  missing: ReactNode;
}

/** A page of the brand's texts, of a city or, without a city, of the site. */
export function WordsPage({ missing }: WordsPageProps) {
  return useCityAlias() === null ? <PageText missing={missing} /> : <CityPage missing={missing} />;
}

/** The page in a city; `missing` when the city has no such page. */
function CityPage({ missing }: WordsPageProps) {
  const { id, pages, seo_name: where } = useCity();
  const alias = useAlias();
  if (!pages.some((page) => page.alias === alias)) return missing;
  return <PageText cityId={id} where={where} missing={missing} />;
}

/**
 * The page's text, with a form or the companies where they belong to it; a skeleton while it loads, a notice when
 * it did not load, and `missing` when there is no such page.
 */
function PageText({
  cityId,
  where,
  missing,
}: WordsPageProps & { cityId?: number; where?: string }) {
  const alias = useAlias();
  const { data: page, error, refetch } = useQuery(wordsQuery(alias, cityId));
  if (error instanceof ApiFault && error.failure.kind === 'notFound') return missing;
  return (
    <main className="mx-auto max-w-3xl px-4 py-6" aria-busy={!page && !error}>
      {error && <LoadFailed onRetry={() => void refetch()} />}
      {!page && !error && <Skeleton shape="line" count={6} />}
      {page && (
        <>
          <Title title={page.title} where={where} />
          <h1 lang={page.lang} className="mb-5 title text-display wrap-break-word hyphens-auto">
            {page.title}
          </h1>
          <WordSections sections={page.sections} />
          {cityId !== undefined && <FormOfPage alias={alias} />}
          {alias === 'legal-info' && cityId !== undefined && <Companies cityId={cityId} />}
        </>
      )}
    </main>
  );
}

/** Returns the alias of the page, the last part of its address. */
function useAlias(): string {
  const [location] = useLocation();
  return location.split('/').filter(Boolean).at(-1) ?? '';
}

/** Shows nothing; sets the title of the document from the page's title and the city. */
function Title({ title, where }: { title: string; where?: string }) {
  usePageTitle(title, where);
  return null;
}

/** The notice that the page could not be loaded, with a button that loads it again. */
function LoadFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <EmptyState
      heading="h1"
      icon={CloudOff}
      title={<Trans id="words.did-not-load">The page did not load</Trans>}
      action={
        <Button onClick={onRetry}>
          <Trans id="common.try-again">Try again</Trans>
        </Button>
      }
    >
      <Trans id="common.check-network">Check the network and try again.</Trans>
    </EmptyState>
  );
}
