import { Trans, useLingui } from '@lingui/react/macro';
import { MapPinOff } from 'lucide-react';
import { usePageTitle } from '@/entities/site/page-title';
import { EmptyState } from '@/ui/feedback/empty-state';
import { ButtonLink } from '@/ui/link';

/** Says that the address leads nowhere, with a link to the choice of a city. */
export function NotFoundPage() {
  const { t } = useLingui();
  usePageTitle(t({ id: 'app.not-found.page-not-found', message: 'Page not found' }));
  return (
    <main className="py-10">
      <EmptyState
        heading="h1"
        icon={MapPinOff}
        title={<Trans id="app.not-found.no-such-page">There is no such page</Trans>}
        action={
          <ButtonLink href="/">
            <Trans id="common.choose-city">Choose a city</Trans>
          </ButtonLink>
        }
      >
        <Trans id="app.not-found.address-may-mistake">
          The address may have a mistake, or the page has moved.
        </Trans>
      </EmptyState>
    </main>
  );
}
