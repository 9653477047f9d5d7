import { Trans } from '@lingui/react/macro';
import { ChevronDown } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { ErrorBoundary } from '@/ui/feedback/error-boundary';
import { Icon } from '@/ui/icon';
import type { CityPage } from './use-city-pages';

const MoreMenu = lazy(() => import('./more-menu'));

/** The button "More", and its menu while it is open. */
export function MorePages({ pages }: { pages: readonly CityPage[] }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-11 items-center gap-1 px-2 hover:text-accent-ink"
      >
        <Trans id="app.frame.more">More</Trans>
        <Icon of={ChevronDown} size="small" />
      </button>
      {isOpen && (
        <ErrorBoundary fallback={() => null}>
          <Suspense>
            <MoreMenu anchor={button} pages={pages} onClose={() => setOpen(false)} />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  );
}
