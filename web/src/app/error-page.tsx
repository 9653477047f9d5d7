import { Trans } from '@lingui/react/macro';
import { CloudOff } from 'lucide-react';
import { useSite } from '@/features/city/context';
import { callHref } from '@/lib/phone';
import { Button } from '@/ui/button';
import { EmptyState } from '@/ui/empty-state';
import { Link } from '@/ui/link';

interface ErrorPageProps {
  reference?: string;
  onRetry: () => void;
}

/** The page could not be shown: try again, or call. */
export function ErrorPage({ reference, onRetry }: ErrorPageProps) {
  const { phone } = useSite();
  return (
    <main className="py-10">
      <EmptyState
        heading="h1"
        icon={CloudOff}
        title={<Trans>The page could not be loaded</Trans>}
        action={
          <Button onClick={onRetry}>
            <Trans>Try again</Trans>
          </Button>
        }
      >
        {phone ? (
          <Trans>
            Check the network and try again. You can also order by phone:{' '}
            <Link href={callHref(phone)}>{phone}</Link>
          </Trans>
        ) : (
          <Trans>Check the network and try again.</Trans>
        )}
        {reference && (
          <span className="mt-2 block text-note">
            <Trans>Reference number: {reference}</Trans>
          </span>
        )}
      </EmptyState>
    </main>
  );
}
