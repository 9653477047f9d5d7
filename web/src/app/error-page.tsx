import { Trans } from '@lingui/react/macro';
import { CloudOff } from 'lucide-react';
import { useSite } from '@/entities/site/context';
import { callHref } from '@/lib/call-href';
import { Button } from '@/ui/button';
import { EmptyState } from '@/ui/feedback/empty-state';
import { Link } from '@/ui/link';

interface ErrorPageProps {
  reference?: string;
  /** Whether only a reload of the document helps; `onRetry` must do that then. */
  needsReload?: boolean;
  onRetry: () => void;
}

/** Says that the page could not be shown, and offers to try again or to call. */
export function ErrorPage({ reference, needsReload, onRetry }: ErrorPageProps) {
  const { phone } = useSite();
  return (
    <main className="py-10">
      <EmptyState
        heading="h1"
        icon={CloudOff}
        title={<Trans id="app.error.page-could-not-be-loaded">The page could not be loaded</Trans>}
        action={
          <Button onClick={onRetry}>
            {needsReload ? (
              <Trans id="app.error.reload-page">Reload the page</Trans>
            ) : (
              <Trans id="common.try-again">Try again</Trans>
            )}
          </Button>
        }
      >
        {needsReload ? (
          <Trans id="app.error.check-network-and-reload-page">
            Check the network and reload the page. Your cart is kept.
          </Trans>
        ) : (
          <Trans id="common.check-network">Check the network and try again.</Trans>
        )}
        {phone && (
          <span className="block">
            <Trans id="app.error.can-also-order-by-phone">
              You can also order by phone: <Link href={callHref(phone)}>{phone}</Link>
            </Trans>
          </span>
        )}
        {reference && (
          <span className="mt-2 block text-note">
            <Trans id="app.reference-number">Reference number: {reference}</Trans>
          </span>
        )}
      </EmptyState>
    </main>
  );
}
